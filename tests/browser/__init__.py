"""Tests of pages in headless Chromium."""

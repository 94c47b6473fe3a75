#!/usr/bin/env bash
# Gradescope calls this once, when it makes the image.
apt-get install -y python3 python3-pip
python3 -m pip install --break-system-packages pitboss

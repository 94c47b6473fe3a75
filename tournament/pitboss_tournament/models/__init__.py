"""Language models at the table: what they are asked, what their answers choose, what that costs, and the record."""

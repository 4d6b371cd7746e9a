"""Programs for developers: pictures, tables. They are in no wheel."""

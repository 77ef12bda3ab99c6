"""The statements by subject, one module for each family."""

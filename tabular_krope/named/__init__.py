"""What users name in words: models, policies, features and data weights, read from the text of an option or a file."""

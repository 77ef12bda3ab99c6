"""Claims of neighboring papers, a folder for each subject."""

"""Charts of the app as SVG that follows the page: its ink, its background, its width."""

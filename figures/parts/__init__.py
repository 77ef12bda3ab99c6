"""Pictures that pages, reports and studies put together."""

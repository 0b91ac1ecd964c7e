"""Ends as a plugin with a missing dependency does."""
import sys

print("Traceback (most recent call last):\n  File \"main.py\", line 4\nModuleNotFoundError: No module named 'requests'", file=sys.stderr)
sys.exit(1)

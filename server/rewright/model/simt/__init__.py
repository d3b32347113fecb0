"""What one thread of a kernel runs, as three-address code: what front ends make and executions run."""

package wire

import "slices"

// Known reports whether v is one of all.
func Known[T ~string](v T, all ...T) bool { return slices.Contains(all, v) }

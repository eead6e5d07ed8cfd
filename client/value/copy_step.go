package value

// CopyStep is one change of a mirror; see client.Mirror.
type CopyStep[T any] struct {
	// Before is the stored state that After replaces; "" if none is stored. A state is text of some KiB, and at most 50
	// KiB.
	Before, After string
	// Put are records to insert. A stored record with the same id is replaced.
	Put []T
	// Delete are the ids of records to delete, if they exist.
	Delete []ID
}

// Package fine has a test that succeeds.
package fine

import "testing"

func TestFine(*testing.T) {}

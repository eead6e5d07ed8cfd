package delivery

import "fmt"

// Judge says why the platform repeats a delivery, nil if it does not.
func Judge(status int) error {
	if !(Attempt{Status: status}).OK() {
		return fmt.Errorf("status %d: must be 2xx, so the platform repeats the delivery", status)
	}
	return nil
}

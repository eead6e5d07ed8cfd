package wire

import "testing"

type colour string

func TestKnown(t *testing.T) {
	for v, want := range map[colour]bool{"red": true, "blue": true, "": false, "green": false, "RED": false} {
		if got := Known(v, "red", "blue"); got != want {
			t.Errorf("Known(%q): got %v, want %v", v, got, want)
		}
	}
	if Known(colour("red")) {
		t.Error("a value is known where there is none")
	}
}

package work

import "testing"

func TestBell(t *testing.T) {
	var b Bell
	b.Ring() // nobody waits
	first, second := b.Next(), b.Next()
	select {
	case <-first:
		t.Error("woken by nothing")
	default:
	}
	b.Ring()
	<-first
	<-second
	select {
	case <-b.Next():
		t.Error("woken by the ring before")
	default:
	}
}

package fault

import "testing"

func TestRules(t *testing.T) {
	s := NewSet(func(op string) bool { return op == "store.get" })
	if _, err := s.Arm(Rule{Op: "store.got"}); err == nil {
		t.Error("a rule about no operation was armed")
	}
	id, err := s.Arm(Rule{Op: "store.get", Skip: 1, Count: 2, Status: 503})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true, false} {
		if _, hit := s.Take("store.get"); hit != want {
			t.Errorf("request %d: hit %v, want %v", i+1, hit, want)
		}
	}
	if a := s.Rules()[id-1]; a.Hits != 2 || !a.Done {
		t.Errorf("got %+v", a)
	}
	all, _ := s.Arm(Rule{Op: "*"})
	if _, hit := s.Take("anything"); !hit {
		t.Error("* missed")
	}
	if !s.Disarm(all) || s.Disarm(all) || s.Disarm(99) {
		t.Error("disarm must succeed once")
	}
	if _, hit := s.Take("anything"); hit {
		t.Error("a disarmed rule struck")
	}
}

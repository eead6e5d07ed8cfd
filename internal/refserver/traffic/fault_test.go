package traffic

import (
	"slices"
	"testing"
)

func TestRules(t *testing.T) {
	s := NewFaults(func(op string) bool { return op == "store.get" })
	for want, r := range map[string]Fault{
		`fault: no operation "store.got"`:       {Op: "store.got"},
		"fault: status 42: must be 200 to 599":  {Op: "*", Status: 42},
		"fault: status 600: must be 200 to 599": {Op: "*", Status: 600},
		"fault: count -1: must be 0 or more":    {Op: "*", Count: -1},
		"fault: skip -1: must be 0 or more":     {Op: "*", Skip: -1},
		"fault: delay -1ns: must be 0 or more":  {Op: "*", Delay: -1},
	} {
		if _, err := s.Arm(r); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", r, err, want)
		}
	}
	if _, err := s.Arm(Fault{Op: "store.get", Skip: 1, Count: 2, Status: 503}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, true, false} {
		if _, hit := s.Take("store.get"); hit != want {
			t.Errorf("request %d: hit %v, want %v", i+1, hit, want)
		}
	}
	if a := s.Rules()[0]; a.Hits != 2 || !a.Done {
		t.Errorf("got %+v", a)
	}
	all, _ := s.Arm(Fault{Op: "*"})
	if _, hit := s.Take("anything"); !hit {
		t.Error("* missed")
	}
	if !s.Disarm(all.ID) || s.Disarm(all.ID) || s.Disarm(99) {
		t.Error("disarm must succeed once")
	}
	if _, hit := s.Take("anything"); hit {
		t.Error("a disarmed rule struck")
	}
}

// Rules that have ended cost no request anything, and do not count.
func TestRulesAreBounded(t *testing.T) {
	s := NewFaults(func(string) bool { return true })
	for n := 1; n <= 3*MostArmed; n++ {
		a, err := s.Arm(Fault{Op: "store.get", Count: 1})
		if err != nil || a.ID != n {
			t.Fatalf("rule %d: got %d, %v", n, a.ID, err)
		}
		if n%2 == 0 {
			s.Disarm(n)
		} else if _, hit := s.Take("store.get"); !hit {
			t.Fatalf("rule %d has no effect", n)
		}
	}
	for range MostArmed {
		if _, err := s.Arm(Fault{Op: "*"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Arm(Fault{Op: "*"}); err == nil || err.Error() != "fault: 1000 are armed, which is the most: end some of them first" {
		t.Errorf("rule %d: %v", MostArmed+1, err)
	}
	all := s.Rules()
	if len(all) != MostArmed+mostEnded || !slices.IsSortedFunc(all, func(a, b Armed) int { return a.ID - b.ID }) {
		t.Errorf("%d rules are listed", len(all))
	}
	if n := s.DisarmAll(); n != MostArmed {
		t.Errorf("ended %d", n)
	}
	if _, err := s.Arm(Fault{Op: "*"}); err != nil {
		t.Error(err)
	}
}

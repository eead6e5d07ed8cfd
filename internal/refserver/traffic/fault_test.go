package traffic

import "testing"

func TestRules(t *testing.T) {
	s := NewFaults(func(op string) bool { return op == "store.get" })
	for want, r := range map[string]Fault{
		`fault: no operation "store.got"`:            {Op: "store.got"},
		"fault: status 42: must be 0 or 200 to 599":  {Op: "*", Status: 42},
		"fault: status 600: must be 0 or 200 to 599": {Op: "*", Status: 600},
		"fault: count -1: must be 0 or more":         {Op: "*", Count: -1},
		"fault: skip -1: must be 0 or more":          {Op: "*", Skip: -1},
		"fault: delay -1ns: must be 0 or more":       {Op: "*", Delay: -1},
	} {
		if _, err := s.Arm(r); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", r, err, want)
		}
	}
	id, err := s.Arm(Fault{Op: "store.get", Skip: 1, Count: 2, Status: 503})
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
	all, _ := s.Arm(Fault{Op: "*"})
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

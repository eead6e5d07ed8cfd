package api

import (
	"slices"
	"testing"
)

func TestMachine(t *testing.T) {
	door := Machine[string]{
		Name: "door", Initial: "closed", States: []string{"open", "closed"},
		Edges: []Edge[string]{
			{From: "closed", On: "push", To: "open", When: "unlocked"},
			{From: "closed", On: "push", To: "closed", When: "locked"},
			{From: "open", On: "pull", To: "closed"},
		},
	}
	if got := door.Next("closed", "push"); !slices.Equal(got, []string{"open", "closed"}) {
		t.Errorf("Next(closed, push) = %v", got)
	}
	if got := door.Next("open", "push"); got != nil {
		t.Errorf("Next(open, push) = %v, want a refusal", got)
	}
	if !door.Leads("open", "pull", "closed") || door.Leads("open", "pull", "open") {
		t.Error("pull should lead from open to closed and nowhere else")
	}
	if got := door.Events(); !slices.Equal(got, []string{"push", "pull"}) {
		t.Errorf("Events() = %v", got)
	}
}

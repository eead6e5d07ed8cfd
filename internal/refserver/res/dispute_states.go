package res

import (
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// DisputeStates is the table of a dispute. What happens is an update with a status,
// which is the status it leads to. A status does not lead to itself.
func DisputeStates() api.Machine[world.DisputeStatus] {
	const open, sent, insured, review, won, lost = world.DisputeNeedsResponse, world.DisputeDocumentationSent,
		world.DisputeInsured, world.DisputeUnderReview, world.DisputeWon, world.DisputeLost
	m := api.Machine[world.DisputeStatus]{
		Name:    "dispute",
		Initial: open,
		States:  []world.DisputeStatus{open, sent, insured, review, won, lost},
	}
	from := func(from world.DisputeStatus, ways ...world.DisputeStatus) {
		for _, to := range ways {
			e := api.Edge[world.DisputeStatus]{From: from, On: string(to), To: to}
			if to == insured {
				e.When = "it was not insured before"
			}
			m.Edges = append(m.Edges, e)
		}
	}
	from(open, sent, review, insured, won, lost)
	from(sent, review)
	from(review, won, lost, insured)
	from(insured, review, won, lost)
	return m
}

// advance is the dispute after an update that leads to a status, with what the update
// says already in it. It says why not otherwise.
func advance(d world.Dispute, to world.DisputeStatus, at time.Time) (world.Dispute, string) {
	switch {
	case !DisputeStates().Leads(d.Status, string(to), to):
		return d, fmt.Sprintf(cannotMove, d.Status, to)
	case to == world.DisputeInsured && d.WasInsured():
		return d, insuredTwice
	}
	d.Status = to
	return reach(d, at), ""
}

// reach adds the status that the dispute has come to, to its history.
func reach(d world.Dispute, at time.Time) world.Dispute {
	s := world.DisputeStep{Status: d.Status, At: at, Delta: d.Retained, Retained: d.Retained, Settled: d.Settled}
	if n := len(d.History); n > 0 {
		s.Delta = d.Retained.Sub(d.History[n-1].Retained)
	}
	d.History = append(slices.Clone(d.History), s)
	return d
}

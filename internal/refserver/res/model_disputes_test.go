package res_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// chargedBack is a dispute of the model.
type chargedBack struct {
	disputes, status, retained string
	insured                    bool // now or once
	closedAt, evidence         any
}

func TestProofModelOfDisputes(t *testing.T) {
	f := open(t)
	token := f.payer()
	transactions := []string{f.charged(), f.charged()}
	ways := waysOfDisputes()
	seen := map[string]bool{}
	sequences(f, token, func(p *play) map[string]func(*rapid.T) {
		m := map[string]*chargedBack{}
		var order []string
		touched := ""
		amounts := func() string { return pick(p, "retained", "0.00", "40.00", "40.00", "100.00", "100.00", "100.01") }
		update := func(t *rapid.T) {
			if len(order) == 0 {
				t.Skip("there is no dispute yet: rapid draws another step")
			}
			// Most updates go on with the same dispute, so that it gets far.
			path := pick(p, "dispute", append(order[:len(order):len(order)], touched, touched, touched)...)
			d := m[path]
			open := strings.Fields(ways[d.status])
			to := pick(p, "status", slices.Concat(statesOfDisputes(), open, open, open)...)
			retained, closes, documents := amounts(), pick(p, "closed_at", true, true, false), rapid.Bool().Draw(t, "evidence")
			body := object{"status": to, "retained_total": usd(retained)}
			if closes {
				body["closed_at"] = "2025-01-05T10:00:00Z"
			}
			if documents {
				body["evidence_url"] = "https://files.pay.example/1.pdf"
			}
			seen[d.status+" to "+to] = true
			final := to == "won" || to == "lost"
			refused := !slices.Contains(open, to) || to == "insured" && d.insured || retained == "100.01" || final && !closes
			p.want(status(refused, http.StatusNoContent), "PUT "+path, body)
			if refused {
				return
			}
			touched = path
			d.status, d.retained, d.insured = to, retained, d.insured || to == "insured"
			if final {
				d.closedAt = "2025-01-05T10:00:00.000Z"
			} else if documents {
				d.evidence = "https://files.pay.example/1.pdf"
			}
		}
		return map[string]func(*rapid.T){
			"report": func(*rapid.T) {
				of, retained := pick(p, "transaction", transactions...), amounts()
				reported := 0
				for _, d := range m {
					if d.disputes == of {
						reported++
					}
				}
				refused := reported == 3 || retained == "100.01"
				made := p.want(status(refused, http.StatusCreated), "POST "+of, chargeback(object{"retained_total": usd(retained)}))
				if !refused {
					path := of + "/" + at(made, "id").(string)
					m[path], order, touched = &chargedBack{disputes: of, status: "needs_response", retained: retained}, append(order, path), path
				}
			},
			"update":      update,
			"update more": update, // a dispute moves more often than there is a new one
			"audit": func(*rapid.T) {
				for _, path := range order {
					p.compareDispute(path, m[path])
				}
			},
			"": func(*rapid.T) {
				if touched != "" {
					p.compareDispute(touched, m[touched])
				}
			},
		}
	})
	t.Logf("met %d of 36 pairs of statuses", len(seen))
	if len(seen) < tier.Size(6, 12, 12) { // all 36 as a rule
		t.Errorf("met %d of 36 pairs of statuses; want more of them", len(seen))
	}
}

// statesOfDisputes are the six, in an order that is the same in each run.
func statesOfDisputes() []string {
	return []string{"needs_response", "documentation_sent", "under_review", "insured", "won", "lost"}
}

func (p *play) compareDispute(path string, d *chargedBack) {
	var got object
	p.get(path, &got)
	p.equal(path, []any{got["status"], at(got, "retained_total.value"), got["closed_at"], got["evidence_url"], at(got, "amount.value")},
		[]any{d.status, d.retained, d.closedAt, d.evidence, "100.00"})
}

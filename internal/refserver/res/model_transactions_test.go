package res_test

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// account is a transaction of the model, in cents.
type account struct {
	state                                         world.TransactionStatus
	begun, authorized, captured, refunded, voided int
	pending                                       map[string][]int // by type
}

// happen is what the model expects of an event: whether it is accepted, and what it changes.
func (a *account) happen(kind, status string, cents int) bool {
	to := res.TransactionStates().Next(a.state, kind+" "+status)
	if len(to) == 0 {
		return false
	}
	first := a.begun == 0
	if !first && (status == "success" || status == "pending") && cents > a.room(kind, status) {
		return false
	}
	if first {
		a.begun = cents
	}
	if i := slices.Index(a.pending[kind], cents); status == "pending" {
		a.pending[kind] = append(a.pending[kind], cents)
	} else if i >= 0 {
		a.pending[kind] = slices.Delete(a.pending[kind], i, i+1)
	}
	a.state = to[0]
	if status == "success" {
		a.move(kind, cents)
	}
	return true
}

// room is the most that an event can be of.
func (a *account) room(kind, status string) int {
	held := a.begun
	if a.authorized > 0 {
		held = a.authorized
	}
	under := 0
	for _, cents := range a.pending[kind] {
		if status == "pending" {
			under += cents
		}
	}
	switch kind {
	case "capture":
		return a.authorized - a.captured - under
	case "void":
		return held - under
	case "refund":
		return a.captured - a.refunded - under
	case "sale", "authorization":
		return held
	}
	return math.MaxInt
}

func (a *account) move(kind string, cents int) {
	switch kind {
	case "authorization":
		a.authorized = cents
	case "sale", "capture":
		a.captured += cents
	case "void":
		a.voided = cents
	case "refund":
		if a.refunded += cents; a.refunded < a.captured {
			a.state = world.TransactionPartiallyRefunded
		}
	}
}

// likely are the events to draw from: all, and repeatedly those that do not end the transaction, so that it gets far.
func (a *account) likely() []string {
	m := res.TransactionStates()
	all := slices.DeleteFunc(m.Events(), func(on string) bool { return strings.HasPrefix(on, "expiration") })
	more := slices.Clone(all)
	for _, on := range all {
		if to := m.Next(a.state, on); len(to) > 0 && to[0] != world.TransactionFailed && to[0] != world.TransactionVoided {
			more = append(more, on, on, on, on)
		}
	}
	return more
}

// TestProofModelOfTransactions plays random events of payments by card. Whatever is accepted, no more is captured than
// authorized, returned than captured, or released than authorized.
func TestProofModelOfTransactions(t *testing.T) {
	f := open(t)
	token := f.cashier()
	o := f.order(0, func(o *world.Order) { o.Currency, o.PaymentStatus = "USD", "pending" })
	all := fmt.Sprintf("/orders/%d/transactions", o)
	sequences(f, token, func(p *play) map[string]func(*rapid.T) {
		a, one := &account{pending: map[string][]int{}}, ""
		return map[string]func(*rapid.T){
			"event": func(*rapid.T) {
				kind, status, _ := strings.Cut(pick(p, "event", a.likely()...), " ")
				cents := pick(p, "cents", 100, 100, 60, 40, 40, 20, 101, 1)
				e := happening(kind, status, fmt.Sprintf("%d.%02d", cents/100, cents%100))
				code := http.StatusCreated
				if !a.happen(kind, status, cents) {
					code = http.StatusUnprocessableEntity
				}
				if one != "" {
					p.want(code, "POST "+all+"/"+one+"/events", e)
				} else if made := p.want(code, "POST "+all, payment(e)); code == http.StatusCreated {
					one = at(made, "id").(string)
				}
			},
			"": func(*rapid.T) {
				if one != "" {
					p.compareAccount(all+"/"+one, a)
				}
			},
		}
	})
}

func (p *play) compareAccount(path string, a *account) {
	var got object
	p.get(path, &got)
	cents := func(member string) (n int) {
		_, err := fmt.Sscanf(strings.ReplaceAll(at(got, member+"_amount.value").(string), ".", ""), "%d", &n)
		if err != nil {
			p.Fatal(err)
		}
		return n
	}
	authorized, captured, refunded, voided := cents("authorized"), cents("captured"), cents("refunded"), cents("voided")
	p.equal(path, []any{got["status"], authorized, captured, refunded, voided},
		[]any{string(a.state), a.authorized, a.captured, a.refunded, a.voided})
	most := a.begun
	if authorized > 0 {
		most = authorized
	}
	if captured+voided > most || refunded > captured || authorized > a.begun {
		p.Fatalf("begun %d, authorized %d, captured %d, refunded %d, voided %d",
			a.begun, authorized, captured, refunded, voided)
	}
}

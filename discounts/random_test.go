package discounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// on is a promotion on a line, or over the cart: line 0.
type on struct {
	promotion string
	line      client.ID
}

// trial is a random cart of a random store with a random plan.
type trial struct {
	*rand.Rand
	own    []promotions.Promotion
	cart   *Cart
	clamp  bool
	before map[on]string // amounts; "" if they are not known
	want   map[on]string
	broken map[uuid.UUID]bool // promotions that the plan misuses
}

func newTrial(seed uint64) *trial {
	t := &trial{Rand: rand.New(rand.NewPCG(seed, 17)), before: map[on]string{}, want: map[on]string{},
		broken: map[uuid.UUID]bool{}}
	t.clamp = t.IntN(2) == 0
	for range t.IntN(5) {
		t.own = append(t.own, promotions.Promotion{ID: t.uuid(), Tier: []promotions.Tier{promotions.TierLineItems, promotions.TierCrossItems}[t.IntN(2)],
			Active: t.IntN(5) > 0})
	}
	t.cart = &Cart{ID: "1", StoreID: 123, Currency: "ARS", Tier: []promotions.Tier{promotions.TierLineItems, promotions.TierCrossItems}[t.IntN(2)]}
	for i := range t.IntN(6) {
		t.cart.Products = append(t.cart.Products, LineItem{ID: client.ID(100 + i), Price: t.price(),
			Quantity: client.Int(t.IntN(4))})
	}
	if t.IntN(4) > 0 {
		t.cart.Totals.Subtotal = t.price()
	}
	for _, p := range t.own {
		if t.IntN(2) == 0 {
			t.applied(p.ID.String(), p.Tier)
		}
	}
	if t.IntN(2) == 0 {
		t.applied(t.uuid().String(), promotions.TierLineItems) // of another app
	}
	return t
}

func (t *trial) uuid() uuid.UUID {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(t.Uint32())
	}
	return id
}

func (t *trial) price() client.Money {
	m, err := client.ParseMoney([]string{"0", "0.01", "0.005", "10", "99.99", "1234.5", "3.333333", "999999999999999",
		"1999.90"}[t.IntN(9)])
	if err != nil {
		panic(err)
	}
	return m
}

// applied makes a promotion act on some lines, or over the cart, and names lines that
// are not there any more.
func (t *trial) applied(id string, tier promotions.Tier) {
	p := AppliedPromotion{ID: client.Code(id)}
	if tier == promotions.TierCrossItems {
		t.before[on{id, 0}] = ""
	}
	for _, l := range t.cart.Products {
		if t.IntN(2) == 0 {
			p.LineItems = append(p.LineItems, l.ID)
			if tier == promotions.TierLineItems {
				t.before[on{id, l.ID}] = ""
			}
		}
	}
	if t.IntN(3) == 0 {
		p.LineItems = append(p.LineItems, 99)
	}
	t.cart.Promotions = append(t.cart.Promotions, p)
	if t.IntN(8) == 0 {
		t.cart.Promotions = append(t.cart.Promotions, p)
	}
}

// amount returns an amount, perhaps one that is none, with what it says.
func (t *trial) amount() (Amount, string) {
	n := t.Int64N(20_000)
	switch t.IntN(5) {
	case 0:
		return Amount{}, ""
	case 1, 2:
		a, err := BasisPoints(n)
		if err != nil {
			return a, ""
		}
		return a, fmt.Sprintf("percentage %d.%02d", n/100, n%100)
	}
	a, err := Minor(n)
	if err != nil {
		return a, ""
	}
	return a, fmt.Sprintf("fixed %d.%02d", n/100, n%100)
}

// lineTotal is what a line costs, rounded down, by another way than the package's.
func lineTotal(price client.Money, n int64) client.Money {
	m, err := client.MoneyFrom(price.Decimal().Mul(client.Cents(n * 100).Decimal()).Truncate(2))
	if err != nil {
		return client.MustMoney("999999999999999.99")
	}
	return m
}

// note keeps what the plan wants, as the documentation says it is understood.
func (t *trial) note(id uuid.UUID, line client.ID, a Amount, said string, base client.Money) {
	if !a.Percentage() && said != "" && client.MustMoney(a.String()).Cmp(base) > 0 {
		if said = ""; t.clamp && base.Cmp(client.Money{}) > 0 {
			said = "fixed " + base.String()
		}
	}
	if said == "" {
		t.broken[id] = true
		return
	}
	t.want[on{id.String(), line}] = said
}

func (t *trial) lines(_ context.Context, p *LinePlan) error {
	lines, promotions := p.Lines(), p.Promotions()
	foreign := &LinePlan{newPlan(p.plan.facts, p.plan.cart, false)}
	for range t.IntN(8) {
		a, said := t.amount()
		if len(promotions) == 0 || t.IntN(20) == 0 {
			p.Discount(LinePromotion{}, Line{}, a)
			continue
		}
		of := promotions[t.IntN(len(promotions))]
		if len(lines) == 0 || t.IntN(20) == 0 {
			p.Discount(of, append(foreign.Lines(), Line{})[0], a)
			t.broken[of.ID()] = true
			continue
		}
		line := lines[t.IntN(len(lines))]
		p.Discount(of, line, a)
		t.note(of.ID(), line.ID, a, said, lineTotal(line.Price, int64(line.Quantity)))
	}
	return nil
}

func (t *trial) cross(_ context.Context, p *CrossPlan) error {
	base := lineTotal(t.cart.Totals.Subtotal, 1)
	if t.cart.Totals.Subtotal.Equal(client.Money{}) {
		for _, l := range t.cart.Products {
			sum, err := client.MoneyFrom(base.Decimal().Add(lineTotal(l.Price, int64(l.Quantity)).Decimal()))
			if err != nil {
				sum = client.MustMoney("999999999999999.99")
			}
			base = sum
		}
	}
	for range t.IntN(4) {
		a, said := t.amount()
		promotions := append(p.Promotions(), CrossPromotion{})
		of := promotions[t.IntN(len(promotions))]
		p.Discount(of, a)
		if t.IntN(3) == 0 {
			p.Show(of, map[string]string{"es-ar": "texto"})
		}
		if of.ID() != uuid.Nil {
			t.note(of.ID(), 0, a, said, base)
		}
	}
	return nil
}

// wanted is the cart as it should be: what the plan wants, and what is not ours to touch.
func (t *trial) wanted() map[on]string {
	state := map[on]string{}
	for o, a := range t.before {
		if !slices.ContainsFunc(t.own, func(p promotions.Promotion) bool {
			return p.ID.String() == o.promotion &&
				p.Tier == t.cart.Tier
		}) {
			state[o] = a
		}
	}
	for o, a := range t.want {
		if id := uuid.MustParse(o.promotion); !t.broken[id] {
			state[o] = a
		}
	}
	return state
}

// execute applies the commands to the cart as it is, in a random order.
func (t *trial) execute(answer []byte) (map[on]string, error) {
	state := maps.Clone(t.before)
	if answer == nil {
		return state, nil
	}
	type amount struct{ Type, Amount string }
	var body struct {
		Commands []struct {
			Command string
			Specs   struct {
				Scope        string
				PromotionID  string          `json:"promotion_id"`
				PromotionIDs []string        `json:"promotion_ids"`
				Discount     *amount         `json:"discount_specs"`
				LineItems    json.RawMessage `json:"line_items"`
			}
		}
	}
	if err := json.Unmarshal(answer, &body); err != nil {
		return nil, err
	}
	t.Shuffle(len(body.Commands), func(i, j int) {
		body.Commands[i], body.Commands[j] = body.Commands[j],
			body.Commands[i]
	})
	for _, c := range body.Commands {
		switch s := c.Specs; {
		case c.Command == "remove_discount" && s.Scope == "cart":
			maps.DeleteFunc(state, func(o on, _ string) bool { return slices.Contains(s.PromotionIDs, o.promotion) })
		case c.Command == "remove_discount":
			var lines []string
			if err := json.Unmarshal(s.LineItems, &lines); err != nil {
				return nil, err
			}
			for _, l := range lines {
				id, _ := client.ParseID(l)
				delete(state, on{s.PromotionID, id})
			}
		case s.Discount != nil:
			state[on{s.PromotionID, 0}] = s.Discount.Type + " " + s.Discount.Amount
		default:
			var lines []struct {
				LineItem string `json:"line_item"`
				Discount amount `json:"discount_specs"`
			}
			if err := json.Unmarshal(s.LineItems, &lines); err != nil {
				return nil, err
			}
			for _, l := range lines {
				id, _ := client.ParseID(l.LineItem)
				state[on{s.PromotionID, id}] = l.Discount.Type + " " + l.Discount.Amount
			}
		}
	}
	return state, nil
}

// Whatever a plan says, the answer is valid, and it makes the cart as the plan wants it,
// in any order of execution: what is not wanted is gone, and what is not ours is untouched.
func TestProofRandomPlans(t *testing.T) {
	seed, tries := seeded(t), tier.Size(2_000, 20_000, 1_000_000)
	answered, empty := 0, 0
	for i := range uint64(tries) {
		tr := newTrial(seed + i)
		plans := Plans{LineItems: tr.lines, CrossItems: tr.cross, Clamp: tr.clamp}
		answer, err := plans.Evaluate(t.Context(), tr.cart, tr.own)
		if err != nil && !errors.Is(err, ErrDropped) || errors.Is(err, ErrInvalid) {
			t.Fatalf("seed %d: %v", seed+i, err)
		}
		if answer == nil {
			empty++
		} else if answered++; Validate(tr.cart, tr.own, answer) != nil {
			t.Fatalf("seed %d: invalid: %s", seed+i, answer)
		}
		after, err := tr.execute(answer)
		if err != nil {
			t.Fatalf("seed %d: %v", seed+i, err)
		}
		if want := tr.wanted(); !maps.Equal(after, want) {
			t.Fatalf("seed %d: before %v, answer %s\n got %v\nwant %v", seed+i, tr.before, answer, after, want)
		}
	}
	if answered < tries/4 || empty < tries/20 {
		t.Errorf("%d answers and %d empty ones of %d plans: they are not random enough", answered, empty, tries)
	}
	t.Logf("%d random plans from seed %d: %d answers, %d empty ones, 0 invalid", tries, seed, answered, empty)
}

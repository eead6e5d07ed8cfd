package members_test

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// verdict is what the server made of an answer.
type verdict struct {
	sent   []byte   // the answer
	effect any      // what changed because of it
	unread []string // members that the server has no use for
	fault  string   // why the answer is not a good one, empty if it is
}

// exchange is a callback whose answer has members.
type exchange struct {
	name string
	// call has the app answer with filled values, and returns what came of it.
	call func(t *testing.T, f *filler) verdict
}

// TestMembersOfAnswers varies one field of the answers at a time, which must change the answer and its effect on the
// server. It also adds a member to each object in turn, which the server must report: otherwise it would report no
// member of that object.
//
// Bodies without a form in the contract have no members to check: the result of ProcessHandler.Process, and the
// refusals of rates ("error" and a code) and of refreshes (by OAuth).
func TestMembersOfAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPartner(t)
		for _, of := range []func(*testing.T) []exchange{
			p.discountAnswers, p.rateAnswers, p.labelAnswers, p.paymentAnswers,
		} {
			for _, e := range of(t) {
				p.check(t, e)
			}
		}
	})
}

// check tries an exchange with each field varied and each object extended.
func (p *partner) check(t *testing.T, e exchange) {
	t.Helper()
	call := func(f *filler) verdict {
		p.failures() // those of the one before
		return e.call(t, f)
	}
	f := newFiller(nil)
	base := call(f)
	for _, member := range base.unread {
		t.Errorf("%s: the server does not read the member %s", e.name, member)
	}
	if len(base.unread) > 0 {
		return
	}
	if base.fault != "" {
		t.Errorf("%s: %s", e.name, base.fault)
		return
	}
	for _, path := range f.paths {
		sent, read := false, false
		other := newFiller(nil)
		other.other = path
		for _, f := range []*filler{other, newFiller([]string{path})} {
			v := call(f)
			sent = sent || !bytes.Equal(v.sent, base.sent)
			read = read || !bytes.Equal(v.sent, base.sent) && v.fault == "" && !reflect.DeepEqual(v.effect, base.effect)
		}
		switch why, listed := unanswered[path]; {
		case listed && read:
			t.Errorf("%s: %s is listed as without effect (%s), but it has one", e.name, path, why)
		case listed:
		case !sent:
			t.Errorf("%s: %s is not sent", e.name, path)
		case !read:
			t.Errorf("%s: %s changes nothing", e.name, path)
		}
	}
	for i, path := range objects(base.sent) {
		if strings.HasSuffix(path, ".display_text") || strings.HasPrefix(path, ".transactions[]") {
			continue // texts by language, and records without a form in the contract
		}
		p.alter(func(body []byte) []byte { return withProbe(body, i) })
		v := call(newFiller(nil))
		p.alter(nil)
		reported := func(name string) bool { return strings.HasSuffix(name, probe) }
		if !slices.ContainsFunc(v.unread, reported) && !strings.Contains(v.fault, probe) {
			t.Errorf("%s: the server would not report an unread member of %q: %s", e.name, path, v.fault)
		}
	}
}

// unanswered are the fields of answers that cannot change alone, with the reason.
var unanswered = map[string]string{
	"Offer.Currency":        "must be that of the request",
	"pickup.Offer.Currency": "must be that of the request",
}

// values returns filled values of a type.
func values[T any](f *filler) T {
	t := reflect.TypeFor[T]()
	return f.value(t, t.Name()).Interface().(T)
}

// failures returns and forgets what handlers have reported.
func (p *partner) failures() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.Join(p.received.failures(), "; ")
	p.received.failed = nil
	return text
}

// The arguments of commands. Numbers are places of promotions and lines, from 1.
type (
	lineDiscount struct {
		Promotion, Line int
		Amount          discounts.Amount
		Text            map[string]string
	}
	cartDiscount struct {
		Promotion int
		Amount    discounts.Amount
		Text      map[string]string
	}
	cartRemoval struct{ Promotion int }
	lineRemoval struct{ Promotion, Line int }
)

// discountAnswers are the commands.
func (p *partner) discountAnswers(t *testing.T) []exchange {
	t.Helper()
	ctx := t.Context()
	byTier := map[promotions.Tier][]uuid.UUID{}
	for i := range 4 {
		in := promotions.Input{Name: fmt.Sprint("Offer ", i), Tier: promotions.TierLineItems, Active: client.Set(true)}
		if i > 1 {
			in.Tier = promotions.TierCrossItems
		}
		id, err := unstable.Promotions(p.client).Create(ctx, in)
		must(t, err)
		byTier[in.Tier] = append(byTier[in.Tier], id)
	}
	lines, crosses := byTier[promotions.TierLineItems], byTier[promotions.TierCrossItems]
	shop := p.srv.Shop(clienttest.ShopOptions{Signed: true})
	basket, err := shop.NewCart(clienttest.Visitor{})
	must(t, err)
	for _, variant := range []string{"/products/{}/variants", "other"} {
		id := p.variant(t, variant)
		_, err = basket.Add(ctx, id, 2)
		must(t, err)
	}
	empty := p.srv.Snapshot()
	ask := func(tier promotions.Tier, command func(*discounts.Cart, *discounts.Commands)) verdict {
		p.commands = func(cart *discounts.Cart, _ []promotions.Promotion, out *discounts.Commands) error {
			if cart.Tier == tier {
				command(cart, out)
			}
			return nil
		}
		var v verdict
		before := len(shop.Runs())
		cart, err := basket.SetDestination(ctx, clienttest.Destination{Country: "AR", City: fmt.Sprint(before)})
		must(t, err)
		for _, run := range shop.Runs()[before:] {
			if run.Tier == string(tier) {
				v = verdict{sent: run.Answer, fault: strings.Join(append(run.Faults, run.Reason), " ")}
			}
		}
		v.effect, v.fault = cart.Discounts, strings.TrimSpace(v.fault+" "+p.failures())
		return v
	}
	some := amounts()[0].(discounts.Amount)
	apply := func() {
		p.srv.Restore(empty)
		change := p.alter(nil)
		ask(promotions.TierLineItems, func(cart *discounts.Cart, out *discounts.Commands) {
			off := []discounts.LineDiscount{{Line: cart.Products[0].ID, Amount: some}, {Line: cart.Products[1].ID, Amount: some}}
			for _, promotion := range lines {
				out.DiscountLines(promotion, cart.Currency, map[string]string{"es-ar": "off"}, off...)
			}
		})
		p.alter(change)
	}
	return []exchange{
		{"discounts.DiscountLines", func(_ *testing.T, f *filler) verdict {
			p.srv.Restore(empty)
			in := values[lineDiscount](f)
			return ask(promotions.TierLineItems, func(cart *discounts.Cart, out *discounts.Commands) {
				line := discounts.LineDiscount{Line: at(cart.Products, in.Line).ID, Amount: in.Amount}
				out.DiscountLines(at(lines, in.Promotion), cart.Currency, in.Text, line)
			})
		}},
		{"discounts.DiscountCart", func(_ *testing.T, f *filler) verdict {
			p.srv.Restore(empty)
			in := values[cartDiscount](f)
			return ask(promotions.TierCrossItems, func(cart *discounts.Cart, out *discounts.Commands) {
				out.DiscountCart(at(crosses, in.Promotion), cart.Currency, in.Text, in.Amount)
			})
		}},
		{"discounts.Remove", func(_ *testing.T, f *filler) verdict {
			apply()
			in := values[cartRemoval](f)
			return ask(promotions.TierLineItems, func(_ *discounts.Cart, out *discounts.Commands) {
				out.Remove(at(lines, in.Promotion))
			})
		}},
		{"discounts.RemoveLines", func(_ *testing.T, f *filler) verdict {
			apply()
			in := values[lineRemoval](f)
			return ask(promotions.TierLineItems, func(cart *discounts.Cart, out *discounts.Commands) {
				out.RemoveLines(at(lines, in.Promotion), at(cart.Products, in.Line).ID)
			})
		}},
	}
}

// at returns the element at a place from 1, and the last one for none.
func at[T any](list []T, place int) T {
	if place < 1 || place > len(list) {
		place = len(list)
	}
	return list[place-1]
}

// variant returns a variant of the shop, or of a new product.
func (p *partner) variant(t *testing.T, collection string) client.ID {
	t.Helper()
	if _, ok := p.ids[collection]; ok {
		return p.id(t, collection)
	}
	product, err := unstable.Products(p.client).Create(t.Context(), client.ProductInput{
		Name: client.Plain("Cup"), Variants: []client.VariantInput{{Price: client.Set(client.Cents(2000))}},
	})
	must(t, err)
	return product.Variants[0].ID
}

// pickup are the arguments of shipping.PickupRate.
type pickup struct {
	Offer shipping.Offer
	Point shipping.Point
}

// rateAnswers are the rates.
func (p *partner) rateAnswers(t *testing.T) []exchange {
	t.Helper()
	ctx := t.Context()
	carrier := p.id(t, "/shipping_carriers")
	both := carriers.CarrierInput{Types: carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup}}
	_, err := unstable.Carriers(p.client).Update(ctx, carrier, both)
	must(t, err)
	_, err = unstable.Carriers(p.client).CreateOption(ctx, carrier, carriers.OptionInput{Code: "Fast", Name: "Fast"})
	must(t, err)
	grams := 1000
	ask := func(t *testing.T, rate shipping.Rate, invalid error) verdict {
		if invalid != nil {
			return verdict{fault: invalid.Error()}
		}
		p.rates = func() ([]shipping.Rate, error) { return []shipping.Rate{rate}, nil }
		grams++ // an equal request would be answered from the platform's cache
		quote, err := p.srv.Quote(ctx, parcel(grams))
		must(t, err)
		call := quote.Calls[0]
		v := verdict{sent: call.Answer, effect: quote.Options, unread: call.Unread}
		v.fault = strings.TrimSpace(call.Reason + " " + p.failures())
		for _, hidden := range call.Hidden {
			v.fault += hidden.Reason
		}
		return v
	}
	return []exchange{
		{"shipping.DoorRate", func(t *testing.T, f *filler) verdict {
			rate, err := shipping.DoorRate(values[shipping.Offer](f))
			return ask(t, rate, err)
		}},
		{"shipping.PickupRate", func(t *testing.T, f *filler) verdict {
			in := values[pickup](f)
			rate, err := shipping.PickupRate(in.Offer, in.Point)
			return ask(t, rate, err)
		}},
	}
}

// labelFailure is a shipping.LabelFailure without the label, which must be one that the callback is about.
type labelFailure struct {
	Code    shipping.LabelCode
	Message string
}

// labelAnswers are the failures of labels in the answer to each callback about labels.
func (p *partner) labelAnswers(t *testing.T) (all []exchange) {
	t.Helper()
	ctx := t.Context()
	parcel := ulid.MustParse(p.ids["/orders/{}/fulfillment-orders"])
	label := ulid.MustParse(p.ids["/fulfillment-orders/{}/labels"])
	for _, callback := range []struct {
		name string
		ask  func(context.Context, ...ulid.ULID) ([]clienttest.LabelCall, error)
		of   ulid.ULID
	}{
		{"Generate", p.srv.RequestLabels, parcel}, {"Cancel", p.srv.CancelLabels, label},
		{"Suspend", p.srv.SuspendLabels, label}, {"Reactivate", p.srv.ReactivateLabels, label},
	} {
		all = append(all, exchange{"shipping.LabelHandler." + callback.name, func(t *testing.T, f *filler) verdict {
			in := values[labelFailure](f)
			p.failure = &shipping.LabelFailure{Code: in.Code, Message: in.Message}
			calls, err := callback.ask(ctx, callback.of)
			must(t, err)
			c := calls[0]
			made := []byte(c.Labels[0].LabelID.String()) // another one each time
			return verdict{
				sent: bytes.ReplaceAll(c.Answer, made, []byte("LABEL")), unread: c.Unread,
				fault:  strings.TrimSpace(c.Reason + " " + p.failures()),
				effect: [2]string{c.Labels[0].Code, c.Labels[0].Message},
			}
		}})
	}
	return all
}

// The answers of payment apps.
type (
	refundAnswer struct{ Refusal payments.RefundRefusal }
	statusAnswer struct{ Transactions []providers.Transaction }
)

// paymentAnswers are the answers about payments.
func (p *partner) paymentAnswers(t *testing.T) []exchange {
	t.Helper()
	ctx := t.Context()
	provider := uuid.MustParse(p.ids["/payment_providers"])
	of := func(path string, c clienttest.PaymentCall, effect any) verdict {
		v := verdict{sent: p.last(path).answer, unread: c.Unread, effect: effect, fault: p.failures()}
		if c.Outcome == "failed" {
			v.fault = strings.TrimSpace(c.Reason + " " + v.fault)
		}
		return v
	}
	status := func(t *testing.T) clienttest.PaymentCall {
		time.Sleep(time.Second) // an equal call in the same second is a repetition
		c, err := p.srv.PaymentStatus(ctx, provider, p.id(t, "/orders"))
		must(t, err)
		return c
	}
	return []exchange{
		{"payments.RefundHandler", func(t *testing.T, f *filler) verdict {
			p.refusal = values[refundAnswer](f).Refusal
			time.Sleep(time.Second)
			c, err := p.srv.Refund(ctx, uuid.MustParse(p.ids["/orders/{}/transactions"]), client.Cents(100))
			must(t, err)
			return of("/refunds", c, c.ErrorCode)
		}},
		{"payments.StatusHandler", func(t *testing.T, f *filler) verdict {
			p.transactions = values[statusAnswer](f).Transactions
			c := status(t)
			return of("/status", c, string(c.Answer))
		}},
		{"payments.RefreshHandler", func(t *testing.T, f *filler) verdict {
			p.tokens = values[payments.Tokens](f)
			refresh := func() clienttest.PaymentCall {
				c, err := p.srv.RefreshPaymentToken(ctx, provider)
				must(t, err)
				return c
			}
			v := of("/refresh", refresh(), nil)
			status(t)
			access := p.last("/status").header.Get("Authorization")
			calls := len(p.srv.PaymentCalls())
			time.Sleep(90 * time.Minute)
			status(t)
			refreshed := len(p.srv.PaymentCalls())-calls > 1 // because the token had expired
			refresh()
			v.effect = []any{access, refreshed, string(p.last("/refresh").body)}
			return v
		}},
	}
}

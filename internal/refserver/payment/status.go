package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Status asks the app for its transactions of an order, which are in the Answer. They change nothing. It fails if the
// provider cannot be called or ctx ends.
func (p *Platform) Status(ctx context.Context, store int64, provider string, order int64) (Call, error) {
	from, err := p.provider(store, provider)
	if err != nil {
		return Call{}, err
	}
	err = p.world.View(0, store, func(tx *world.Tx) error {
		if !tx.Orders.Has(order) {
			return fmt.Errorf("order %d does not exist in store %d", order, store)
		}
		return nil
	})
	if err != nil {
		return Call{}, err
	}
	c := Call{Kind: Status, Store: store, App: from.AppID, Provider: from.ID, Try: 1, Method: http.MethodGet}
	if c.URL, err = p.address(c.App, c.Kind, func(u world.PaymentURLs) string { return u.Status }); err != nil {
		return c, err
	}
	if c.URL, err = withQuery(c.URL, "order_id", strconv.FormatInt(order, 10)); err != nil {
		return c, err
	}
	if c, err = p.signed(ctx, c, from); err != nil {
		return c, err
	}
	c.requires(http.StatusOK)
	if c.Outcome == Accepted {
		c.hearStatus()
	}
	return p.record(c), nil
}

// statusJSON is the answer to a call about the status. The contract gives no form for the transactions.
type statusJSON struct {
	Transactions []json.RawMessage `json:"transactions"`
}

func (c *Call) hearStatus() {
	var b statusJSON
	if json.Unmarshal(c.Answer, &b) != nil || b.Transactions == nil {
		c.Outcome, c.Reason = Failed, "the answer has no array transactions"
	}
	c.Unread = delivery.Unread[statusJSON](c.Answer)
}

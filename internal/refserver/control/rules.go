package control

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
)

// paymentOptions lists how a cart may be paid, without what business rules hide.
func paymentOptions(c *call) (any, error) {
	_, id, err := c.basket()
	if err != nil {
		return nil, err
	}
	all, err := c.server.Rules().PaymentOptions(c.ctx, c.st.ID, id)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, o := range all {
		out = append(out, map[string]any{
			"provider": o.Provider, "provider_name": o.ProviderName, "option": o.ID, "name": o.Name, "types": append([]string{}, o.Types...),
			"integration": o.Integration,
		})
	}
	return map[string]any{"options": out}, nil
}

// places lists the locations that a cart may leave from, in the order of business rules.
func places(c *call) (any, error) {
	_, id, err := c.basket()
	if err != nil {
		return nil, err
	}
	all, err := c.server.Rules().Places(c.ctx, c.st.ID, id)
	if err != nil {
		return nil, err
	}
	return map[string]any{"locations": append([]string{}, all...)}, nil
}

// mayFinish asks whether a purchase may end.
func mayFinish(c *call) (any, error) {
	_, id, err := c.basket()
	if err != nil {
		return nil, err
	}
	reason, err := c.server.Rules().MayFinish(c.ctx, c.st.ID, id)
	if err != nil {
		return nil, err
	}
	return map[string]any{"may_finish": reason == "", "reason": reason}, nil
}

func ruleRuns(c *call) (any, error) {
	return records[rules.Run]{
		in: c.server.Rules().RunsIn, key: func(r rules.Run) int64 { return int64(r.N) },
		keep: func(r rules.Run) bool { return r.Store == c.st.ID }, show: showRuleRun,
	}.page(c)
}

func showRuleRun(r rules.Run) any {
	return map[string]any{
		"n": r.N, "at": stamp(r.At), "app": r.App, "cart": r.Cart, "domain": r.Domain, "url": r.URL, "request": shown(r.Request),
		"status": r.Status, "answer": shown(r.Answer), "late": r.Late, "ms": ms(r.Duration), "of_ms": ms(rules.Timeout),
		"decided_by": r.DecidedBy, "command": r.Command, "outcome": r.Outcome, "reason": r.Reason,
		"unmatched": append([]string{}, r.Unmatched...), "unread": append([]string{}, r.Unread...),
	}
}

// ruleSettingsJSON select a reading of business rules where the contract has two, and the merchant's choices.
type ruleSettingsJSON struct {
	Keep         bool `json:"keep"`
	FewestPlaces bool `json:"fewest_places"`
	Timeout      span `json:"timeout"` // 0s is 800 ms
	Delay        span `json:"delay"`
}

func ruleSettings(c *call) (any, error) {
	s := c.server.Rules().Settings()
	return ruleSettingsJSON{s.Keep, s.FewestPlaces, span(s.Timeout), span(s.Delay)}, nil
}

func setRuleSettings(c *call, in ruleSettingsJSON) (any, error) {
	if in.Delay < 0 || time.Duration(in.Delay) > mostTime {
		return nil, wrong("delay", in.Delay, "must be 0s to "+mostTime.String())
	}
	if in.Timeout < 0 || time.Duration(in.Timeout) > mostTime {
		return nil, wrong("timeout", in.Timeout, "must be 0s to "+mostTime.String())
	}
	c.server.Rules().Set(rules.Settings{
		Keep: in.Keep, FewestPlaces: in.FewestPlaces, Timeout: time.Duration(in.Timeout), Delay: time.Duration(in.Delay),
	})
	return in, nil
}

package res

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// promotionContentJSON is what a promotion takes off a line, or off all of them: line_item is
// null then. The contract names no members of contents and promotions_applied, so all of
// both are assumed, in the words of the discount callbacks.
type promotionContentJSON struct {
	PromotionID   string            `json:"promotion_id"`
	ExecutionTier world.Tier        `json:"execution_tier"`
	LineItem      *string           `json:"line_item"`
	Specs         discountSpecsJSON `json:"discount_specs"`
	DisplayText   map[string]string `json:"display_text"`
	Amount        string            `json:"discount_amount"`
}

type discountSpecsJSON struct {
	Type   string `json:"type"`
	Amount string `json:"amount"`
}

// promotionAppliedJSON is a promotion with what it takes off in all.
type promotionAppliedJSON struct {
	ID        string   `json:"id"`
	AppID     int64    `json:"app_id"`
	Name      string   `json:"name"`
	LineItems []string `json:"line_items"`
	Amount    string   `json:"discount_amount"`
}

// promote fills in what the promotions of a sale take off it.
func (d *promotionalDiscountJSON) promote(s world.Sale) {
	if len(s.Promotions) == 0 {
		return
	}
	d.ID = &s.PromotionsID
	var applied []promotionAppliedJSON
	var sums []decimal.Decimal
	for _, p := range s.Promotions {
		content := promotionContentJSON{PromotionID: p.PromotionID, ExecutionTier: p.Tier, Amount: money(p.Amount),
			Specs: discountSpecsJSON{"fixed", money(p.Reduction.Amount)}, DisplayText: p.Reduction.Text}
		if p.Reduction.Percentage {
			content.Specs.Type = "percentage"
		}
		if content.DisplayText == nil {
			content.DisplayText = map[string]string{}
		}
		at := slices.IndexFunc(applied, func(a promotionAppliedJSON) bool { return a.ID == p.PromotionID })
		if at < 0 {
			at = len(applied)
			one := promotionAppliedJSON{ID: p.PromotionID, AppID: p.AppID, Name: p.Name, LineItems: []string{}}
			applied = append(applied, one)
			sums = append(sums, decimal.Decimal{})
		}
		sums[at] = sums[at].Add(p.Amount)
		if p.LineID != 0 {
			line := strconv.FormatInt(p.LineID, 10)
			content.LineItem = &line
			applied[at].LineItems = append(applied[at].LineItems, line)
		}
		d.Contents = append(d.Contents, content)
	}
	for i, a := range applied {
		a.Amount = money(sums[i])
		d.PromotionsApplied = append(d.PromotionsApplied, a)
	}
}

package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// readInstallments reads the ways to pay by card in parts.
func readInstallments(b body.Members, to *world.Installments) {
	b.Require(true, "specification")
	b.List("specification", func() {}, func(b body.Members) { to.Options = append(to.Options, readInstallmentOption(b)) })
	b.List("min_installment_value", func() {}, func(b body.Members) {
		v := world.InstallmentValue{ByAmount: b.Has("amount") && !b.Has("value")}
		if v.ByAmount {
			v.Amount = readAmount(b, "amount")
		} else {
			v.Amount = readAmount(b, "value")
		}
		to.Least = append(to.Least, v)
	})
}

func readInstallmentOption(b body.Members) world.InstallmentOption {
	o := world.InstallmentOption{Count: b.Integer("installments", beCount, 1),
		Interest: b.Amount("interest_rate", body.BeRate)}
	b.Texts("applies_to", &o.AppliesTo)
	b.List("minimum_purchase_value", func() {}, func(b body.Members) {
		o.Minimums = append(o.Minimums,
			readAmount(b, "value"))
	})
	return o
}

// readAmount reads money; the contract calls what there is of it the value, except
// for installments.
func readAmount(b body.Members, member string) world.Amount {
	var a world.Amount
	if a.Value = b.Amount(member, body.BeCents); !a.Value.Equal(a.Value.Truncate(2)) {
		b.Refuse(member, body.BeCents)
	}
	b.Choice("currency", beCurrency, platformCurrencies(), &a.Currency)
	return a
}

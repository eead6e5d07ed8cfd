package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// readInstallments reads the ways to pay by card in parts.
func readInstallments(b form, to *world.Installments) {
	b.require(true, "specification")
	b.list("specification", func() {}, func(b form) { to.Options = append(to.Options, readInstallmentOption(b)) })
	b.list("min_installment_value", func() {}, func(b form) {
		v := world.InstallmentValue{ByAmount: b.has("amount") && !b.has("value")}
		if v.ByAmount {
			v.Amount = readAmount(b, "amount")
		} else {
			v.Amount = readAmount(b, "value")
		}
		to.Least = append(to.Least, v)
	})
}

func readInstallmentOption(b form) world.InstallmentOption {
	o := world.InstallmentOption{Count: b.integer("installments", 1, beCount), Interest: b.rate("interest_rate")}
	b.texts("applies_to", &o.AppliesTo)
	b.list("minimum_purchase_value", func() {}, func(b form) { o.Minimums = append(o.Minimums, readAmount(b, "value")) })
	return o
}

// readAmount reads money; the contract calls what there is of it the value, except
// for installments.
func readAmount(b form, member string) world.Amount {
	var a world.Amount
	var s scalar.Value
	value(b, member, beAmount, &s)
	d, ok := s.Decimal()
	if !ok || d.IsNegative() || !d.Equal(d.Truncate(2)) {
		b.wrong.add(b.at(member), beAmount)
	}
	a.Value = d
	b.choice("currency", beCurrency, platformCurrencies(), &a.Currency)
	return a
}

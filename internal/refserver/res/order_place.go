package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// PlaceOrder makes a sale that a customer has finished at the checkout an order. Of o it
// reads the sale, the customer, the rates and who sold it. It uses the coupons, and takes the
// stock of the lines, each from its origin by the id of the line first. An error refuses
// the purchase in words, and the transaction has to fail with it.
func PlaceOrder(tx *world.Tx, o world.Order, origins map[int64]string) (world.Order, error) {
	o.ID = tx.NewID()
	o.Status, o.PaymentStatus, o.ShippingStatus = orderOpen, paymentPending, shippingUnpacked
	o.Storefront = "store"
	if o.Token == "" {
		o.Token = tx.NewHex(20)
	}
	if o.Gateway == "" {
		o.Gateway = notProvided
	}
	if o.PaymentMethod == "" {
		o.PaymentMethod = "custom"
	}
	o.Sale = shippedBy(tx, o.Sale, o.Rates)
	o.Sale = addUp(tx, o.Sale)
	if len(o.Promotions) > 0 {
		o.PromotionsID = tx.NewID()
	}
	if err := useCoupons(tx, o.Sale); err != nil {
		return o, err
	}
	var err error
	if o.CustomerID == 0 {
		if o, err = withCustomer(tx, o); err != nil {
			return o, err
		}
	}
	var from []drawn
	if o.Lines, from, err = claimFrom(tx, o.Lines, origins); err != nil {
		return o, err
	}
	return completeOrder(tx, o, from)
}

// SoldKit is a kit as it is sold now, in the language, for the lines of its components. It
// is false for one that cannot be sold.
func SoldKit(tx *world.Tx, kit, order int64, language string) (*world.SoldKit, bool) {
	k, ok := tx.Kits.Get(kit)
	if !ok || !k.InvalidAt.IsZero() {
		return nil, false
	}
	v := single(tx, k.ID)
	whole := newLine(tx, v, language)
	return &world.SoldKit{
		ProductID: k.ID, VariantID: v.ID, OrderKitID: order, Name: whole.Name, ImageID: whole.ImageID, Price: whole.Price,
	}, true
}

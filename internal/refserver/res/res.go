package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// Ops returns every operation of every resource.
func Ops() []api.Op {
	return slices.Concat(
		storeOps(),
		productOps(),
		variantOps(),
		imageOps(),
		categoryOps(),
		customerOps(),
		couponOps(),
		locationOps(),
		kitOps(),
		priceTableOps(),
		priceTableCategoryOps(),
		priceTableVariantOps(),
		priceTableCustomerOps(),
		slices.Concat(each(fieldOwners(), customFieldOps)...),
		metafieldOps(),
		pageOps(),
		blogOps(),
		emailTemplateOps(),
		scriptOps(),
		carrierOps(),
		carrierOptionOps(),
		businessRuleOps(),
		cartOps(),
		checkoutOps(),
		discountCallbackOps(),
		disputeOps(),
		planOps(),
		subscriptionOps(),
		chargeOps(),
		draftOrderOps(),
		orderOps(),
		fulfillmentOps(),
		fulfillmentOrderOps(),
		externalInvoiceOps(),
		labelOps(),
		trackingEventOps(),
		paymentOptionOps(),
		paymentProviderOps(),
		promotionOps(),
		transactionOps(),
		webhookOps(),
	)
}

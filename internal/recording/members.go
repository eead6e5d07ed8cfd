package recording

// The members that stay in a recording, by kind of call. Everything that is not here is replaced.
var requestMembers = map[Kind]string{
	Deliveries: `
		id: store_id id app_id order_id fulfillment_id label_id tracking_event_id service_id
		id: plan.{id external_reference} charge.id
		id: customer.id orders_to_redact orders_requested checkouts_requested drafts_orders_requested data_request.id
		word: event topic status reason.type concept_code charge.concept_code
		code: plan.code
		time: event_launch_ts charge.{from_date to_date}
		amount: charge.amount_value
		currency: charge.amount_currency`,
	Carts: `
		id: cart_id store_id customer.id sold_by
		id: products.{id product_id variant_id catalog_kit_id order_kit_id} products.categories.{id parent subcategories}
		word: execution_tier payment.{credit_card_company method}
		currency: currency
		language: language
		place: shipping.{country city}
		postal: shipping.postalcode
		amount: shipping.cost package.weight products.{price compare_at_price} totals.{subtotal total_discount total}
		whole: payment.installments products.{quantity kit_quantity quantity_per_kit}
		choice: products.variant_values
		id: promotions.line_items
		code: promotions.id
		coupon: coupons utm.{utm_source utm_medium utm_campaign}
		time: utm.timestamp`,
	Rates: `
		id: cart_id store_id origin.location_id items.{id product_id} carrier.{id options.id}
		id: carrier.options.id
		currency: currency carrier.options.additional_cost.currency
		language: language
		place: origin.{country province city locality} destination.{country province city locality}
		postal: origin.postal_code destination.postal_code
		amount: total_price items.{price cost grams} items.dimensions.{width height depth}
		amount: carrier.options.additional_cost carrier.options.additional_cost.amount
		whole: items.quantity carrier.options.additional_days
		code: items.sku carrier.options.code`,
	Labels: `
		id: id requested_by.{app_id user_id} labels.{fulfillment_order_id label_id}
		word: status documents.{type format}
		whole: documents.size
		time: created_at`,
	Payments: `
		id: store_id order_id payment_provider_id payment_attempt_id transaction_id
		word: payment_method.{type id}
		amount: amount.value
		currency: amount.currency`,
}

// orderMembers are those of a fulfillment order in a request for labels.
const orderMembers = `
		id: id number assigned_location.location_id shipping.carrier.carrier_id
		id: line_items.{id external_id variant.variant_id product.product_id stock_transfer.from_location_id}
		word: status shipping.type discounts.type status_history.{from_status to_status}
		whole: total_quantity line_items.quantity
		amount: total_weight total_price.value line_items.unit_price.value
		amount: line_items.unit_dimension.{weight width height depth}
		amount: shipping.{merchant_cost.value consumer_cost.value} discounts.amount.value
		currency: total_price.currency line_items.unit_price.currency discounts.amount.currency
		currency: shipping.{merchant_cost.currency consumer_cost.currency}
		code: shipping.{carrier.code option.code}
		place: destination.{city locality} destination.province.{code name} destination.region.{code name}
		place: destination.country.{code name} assigned_location.address.{city locality}
		place: assigned_location.address.province.{code name} assigned_location.address.region.{code name}
		place: assigned_location.address.country.{code name}
		postal: destination.zipcode assigned_location.address.zipcode
		time: created_at updated_at fulfilled_at line_items.{created_at updated_at}
		time: status_history.{happened_at created_at} shipping.{min_delivery_date max_delivery_date}`

var answerMembers = map[Kind]string{
	Deliveries: ``,
	Carts: `
		word: commands.command commands.scope commands.specs.scope commands.specs.discount_specs.type
		word: commands.specs.line_items.discount_specs.type
		code: commands.{promotion_id promotion_ids} commands.specs.{promotion_id promotion_ids}
		id: commands.line_items commands.specs.{line_items line_items.line_item}
		currency: commands.specs.currency
		amount: commands.specs.discount_specs.amount commands.specs.line_items.discount_specs.amount`,
	Rates: `
		code: rates.code
		word: rates.type
		amount: rates.{price price_merchant}
		currency: rates.currency
		time: rates.{min_delivery_date max_delivery_date}
		place: rates.address.{locality city province country}
		postal: rates.address.zipcode
		whole: rates.hours.{day start end}`,
	Labels: `
		id: id labels.{fulfillment_order_id label_id}
		word: status reason.{code type} labels.status labels.reason.{code type}`,
	Payments: `
		word: error_code transactions.status`,
}

// queryMembers are the parameters of addresses.
const queryMembers = `id: order_id payment_attempt_id store_id`

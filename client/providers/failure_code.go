package providers

import "slices"

// FailureCode is the reason why a payment failed. The list is open: the platform stores and displays unknown codes
// too. Two codes are misspelled on the wire, but not in the names of their constants.
type FailureCode string

// Codes about the data of the customer.
const (
	FailureCodeConsumerBlocked             FailureCode = "consumer_blocked"               // blocked
	FailureCodeConsumerCityInvalid         FailureCode = "consumer_city_invalid"          // city invalid
	FailureCodeConsumerCountryInvalid      FailureCode = "consumer_country_invalid"       // country invalid
	FailureCodeConsumerDistrictInvalid     FailureCode = "consumer_district_invalid"      // district invalid
	FailureCodeConsumerEmailInvalid        FailureCode = "consumer_email_invalid"         // email invalid
	FailureCodeConsumerFirstnameInvalid    FailureCode = "consumer_firstname_invalid"     // firstname invalid
	FailureCodeConsumerFloorInvalid        FailureCode = "consumer_floor_invalid"         // floor invalid
	FailureCodeConsumerIDInvalid           FailureCode = "consumer_id_invalid"            // id invalid
	FailureCodeConsumerIDTypeInvalid       FailureCode = "consumer_id_type_invalid"       // id type invalid
	FailureCodeConsumerLastnameInvalid     FailureCode = "consumer_lastname_invalid"      // lastname invalid
	FailureCodeConsumerPhoneInvalid        FailureCode = "consumer_phone_invalid"         // phone invalid
	FailureCodeConsumerProvinceInvalid     FailureCode = "consumer_province_invalid"      // province invalid
	FailureCodeConsumerRegionInvalid       FailureCode = "consumer_region_invalid"        // region invalid
	FailureCodeConsumerSameAsMerchant      FailureCode = "consumer_same_as_merchant"      // same as merchant
	FailureCodeConsumerStateInvalid        FailureCode = "consumer_state_invalid"         // state invalid
	FailureCodeConsumerStreetInvalid       FailureCode = "consumer_street_invalid"        // street invalid
	FailureCodeConsumerStreetNumberInvalid FailureCode = "consumer_street_number_invalid" // street number invalid
	FailureCodeConsumerZipInvalid          FailureCode = "consumer_zip_invalid"           // zip invalid
)

// Codes about payments by bank debit.
const (
	FailureCodeBankDebitBankInvalid        FailureCode = "bank_debit_bank_invalid"          // bank invalid
	FailureCodeBankDebitMethodUnavailable  FailureCode = "bank_debit_method_unavailable"    // method unavailable
	FailureCodeBankDebitPayerIDInvalid     FailureCode = "bank_debit_payer_id_invalid"      // payer id invalid
	FailureCodeBankDebitPayerIDTypeInvalid FailureCode = "bank_debit_payer_id_type_invalid" // payer id type invalid
	FailureCodeBankDebitPayerNameInvalid   FailureCode = "bank_debit_payer_name_invalid"    // payer name invalid
)

// Codes about payments by boleto.
const (
	FailureCodeBoletoMethodUnavailable  FailureCode = "boleto_method_unavailable"    // method unavailable
	FailureCodeBoletoPayerIDInvalid     FailureCode = "boleto_payer_id_invalid"      // payer id invalid
	FailureCodeBoletoPayerIDTypeInvalid FailureCode = "boleto_payer_id_type_invalid" // payer id type invalid
	FailureCodeBoletoPayerNameInvalid   FailureCode = "boleto_payer_name_invalid"    // payer name invalid
)

// Codes about payments by ticket.
const (
	FailureCodeTicketMethodUnavailable FailureCode = "ticket_method_unavailable" // method unavailable
	FailureCodeTicketOperatorInvalid   FailureCode = "ticket_operator_invalid"   // operator invalid
)

// Codes about payments by card.
const (
	FailureCodeCardCVVInvalid                  FailureCode = "card_cvv_invalid"                   // cvv invalid
	FailureCodeCardExpirationDateInvalid       FailureCode = "card_expiration_date_invalid"       // expiry invalid
	FailureCodeCardHolderBirthdateInvalid      FailureCode = "card_holder_birthdate_invalid"      // birthdate invalid
	FailureCodeCardHolderIDInvalid             FailureCode = "card_holder_id_invalid"             // holder id invalid
	FailureCodeCardHolderIDTypeInvalid         FailureCode = "card_holder_id_type_invalid"        // holder id type invalid
	FailureCodeCardHolderNameInvalid           FailureCode = "card_holder_name_invalid"           // holder name invalid
	FailureCodeCardHolderPhoneInvalid          FailureCode = "card_holder_phone_invalid"          // holder phone invalid
	FailureCodeCardInfoInvalid                 FailureCode = "card_info_invalid"                  // info invalid
	FailureCodeCardIssuerInvalid               FailureCode = "card_issuer_invalid"                // issuer invalid
	FailureCodeCardMethodUnavailable           FailureCode = "card_method_unavailable"            // method unavailable
	FailureCodeCardNumberInvalid               FailureCode = "card_number_invalid"                // number invalid
	FailureCodeCardTokenInvalid                FailureCode = "card_token_invalid"                 // token invalid
	FailureCodeCardRejected                    FailureCode = "card_rejected"                      // rejected
	FailureCodeCardRejectedCallForAuthorize    FailureCode = "card_rejected_call_for_authorize"   // call for authorize
	FailureCodeCardRejectedDenyList            FailureCode = "card_rejected_deny_list"            // deny list
	FailureCodeCardRejectedDisabled            FailureCode = "card_rejected_disabled"             // disabled
	FailureCodeCardRejectedDuplicatedPayment   FailureCode = "card_rejected_duplicated_payment"   // duplicated payment
	FailureCodeCardRejectedFraudHighRisk       FailureCode = "card_rejected_fraud_high_risk"      // fraud high risk
	FailureCodeCardRejectedInsufficientFunds   FailureCode = "card_rejected_insufficient_funds"   // insufficient funds
	FailureCodeCardRejectedInvalidInstallments FailureCode = "card_rejected_invalid_installments" // invalid installments
	FailureCodeCardRejectedMaxAttempts         FailureCode = "card_rejected_max_attemps"          // max attempts
)

// Codes about the delivery.
const (
	FailureCodeShippingCityInvalid          FailureCode = "shipping_city_invalid"          // city invalid
	FailureCodeShippingCountryInvalid       FailureCode = "shipping_country_invalid"       // country invalid
	FailureCodeShippingDistrictInvalid      FailureCode = "shipping_district_invalid"      // district invalid
	FailureCodeShippingEmailInvalid         FailureCode = "shipping_email_invalid"         // email invalid
	FailureCodeShippingFirstnameInvalid     FailureCode = "shipping_firstname_invalid"     // firstname invalid
	FailureCodeShippingFloorInvalid         FailureCode = "shipping_floor_invalid"         // floor invalid
	FailureCodeShippingLastnameInvalid      FailureCode = "shipping_lastname_invalid"      // lastname invalid
	FailureCodeShippingMethodInvalid        FailureCode = "shipping_method_invalid"        // method invalid
	FailureCodeShippingMethodUnavailable    FailureCode = "shipping_method_unavailable"    // method unavailable
	FailureCodeShippingPhoneInvalid         FailureCode = "shipping_phone_invalid"         // phone invalid
	FailureCodeShippingPriceInvalid         FailureCode = "shipping_price_invalid"         // price invalid
	FailureCodeShippingProvinceInvalid      FailureCode = "shipping_province_invalid"      // province invalid
	FailureCodeShippingRegionInvalid        FailureCode = "shipping_region_invalid"        // region invalid
	FailureCodeShippingStateInvalid         FailureCode = "shipping_state_invalid"         // state invalid
	FailureCodeShippingStreetInvalid        FailureCode = "shipping_street_invalid"        // street invalid
	FailureCodeShippingStreetNumberInvalid  FailureCode = "shipping_street_number_invalid" // street number invalid
	FailureCodeShippingTotalCurrencyInvalid FailureCode = "shipping_total_curreny_invalid" // total currency invalid
	FailureCodeShippingZipInvalid           FailureCode = "shipping_zip_invalid"           // zip invalid
)

// Codes about the lines of the order.
const (
	FailureCodeLineItemsCurrencyInvalid    FailureCode = "line_items_currency_invalid"    // currency invalid
	FailureCodeLineItemsDescriptionInvalid FailureCode = "line_items_description_invalid" // description invalid
	FailureCodeLineItemsPriceInvalid       FailureCode = "line_items_price_invalid"       // price invalid
	FailureCodeLineItemsQuantityInvalid    FailureCode = "line_items_quantity_invalid"    // quantity invalid
)

// Codes about the total of the order.
const (
	FailureCodeOrderTotalCurrencyInvalid FailureCode = "order_total_currency_invalid" // currency invalid
	FailureCodeOrderTotalPriceInvalid    FailureCode = "order_total_price_invalid"    // price invalid
	FailureCodeOrderTotalPriceTooSmall   FailureCode = "order_total_price_too_small"  // price too small
)

// Known reports whether the contract names the value.
func (c FailureCode) Known() bool { return slices.Contains(failureCodes, c) }

// failureCodes are the codes that the contract names.
var failureCodes = []FailureCode{
	FailureCodeConsumerBlocked, FailureCodeConsumerCityInvalid, FailureCodeConsumerCountryInvalid,
	FailureCodeConsumerDistrictInvalid, FailureCodeConsumerEmailInvalid, FailureCodeConsumerFirstnameInvalid,
	FailureCodeConsumerFloorInvalid, FailureCodeConsumerIDInvalid, FailureCodeConsumerIDTypeInvalid,
	FailureCodeConsumerLastnameInvalid, FailureCodeConsumerPhoneInvalid, FailureCodeConsumerProvinceInvalid,
	FailureCodeConsumerRegionInvalid, FailureCodeConsumerSameAsMerchant, FailureCodeConsumerStateInvalid,
	FailureCodeConsumerStreetInvalid, FailureCodeConsumerStreetNumberInvalid, FailureCodeConsumerZipInvalid,
	FailureCodeBankDebitBankInvalid, FailureCodeBankDebitMethodUnavailable, FailureCodeBankDebitPayerIDInvalid,
	FailureCodeBankDebitPayerIDTypeInvalid, FailureCodeBankDebitPayerNameInvalid, FailureCodeBoletoMethodUnavailable,
	FailureCodeBoletoPayerIDInvalid, FailureCodeBoletoPayerIDTypeInvalid, FailureCodeBoletoPayerNameInvalid,
	FailureCodeTicketMethodUnavailable, FailureCodeTicketOperatorInvalid, FailureCodeCardCVVInvalid,
	FailureCodeCardExpirationDateInvalid, FailureCodeCardHolderBirthdateInvalid, FailureCodeCardHolderIDInvalid,
	FailureCodeCardHolderIDTypeInvalid, FailureCodeCardHolderNameInvalid, FailureCodeCardHolderPhoneInvalid,
	FailureCodeCardInfoInvalid, FailureCodeCardIssuerInvalid, FailureCodeCardMethodUnavailable,
	FailureCodeCardNumberInvalid, FailureCodeCardTokenInvalid, FailureCodeCardRejected,
	FailureCodeCardRejectedCallForAuthorize, FailureCodeCardRejectedDenyList, FailureCodeCardRejectedDisabled,
	FailureCodeCardRejectedDuplicatedPayment, FailureCodeCardRejectedFraudHighRisk,
	FailureCodeCardRejectedInsufficientFunds, FailureCodeCardRejectedInvalidInstallments,
	FailureCodeCardRejectedMaxAttempts, FailureCodeShippingCityInvalid, FailureCodeShippingCountryInvalid,
	FailureCodeShippingDistrictInvalid, FailureCodeShippingEmailInvalid, FailureCodeShippingFirstnameInvalid,
	FailureCodeShippingFloorInvalid, FailureCodeShippingLastnameInvalid, FailureCodeShippingMethodInvalid,
	FailureCodeShippingMethodUnavailable, FailureCodeShippingPhoneInvalid, FailureCodeShippingPriceInvalid,
	FailureCodeShippingProvinceInvalid, FailureCodeShippingRegionInvalid, FailureCodeShippingStateInvalid,
	FailureCodeShippingStreetInvalid, FailureCodeShippingStreetNumberInvalid, FailureCodeShippingTotalCurrencyInvalid,
	FailureCodeShippingZipInvalid, FailureCodeLineItemsCurrencyInvalid, FailureCodeLineItemsDescriptionInvalid,
	FailureCodeLineItemsPriceInvalid, FailureCodeLineItemsQuantityInvalid, FailureCodeOrderTotalCurrencyInvalid,
	FailureCodeOrderTotalPriceInvalid, FailureCodeOrderTotalPriceTooSmall,
}

package payments

import "slices"

// FailureCode says why a payment failed. The list is open: the platform stores and shows codes that it does not name.
// Two of its codes are misspelt on the wire, and their constants are not.
type FailureCode string

// Codes about the data of the customer.
const (
	FailureCodeConsumerBlocked             FailureCode = "consumer_blocked"               // the customer's blocked
	FailureCodeConsumerCityInvalid         FailureCode = "consumer_city_invalid"          // the customer's city invalid
	FailureCodeConsumerCountryInvalid      FailureCode = "consumer_country_invalid"       // the customer's country invalid
	FailureCodeConsumerDistrictInvalid     FailureCode = "consumer_district_invalid"      // the customer's district invalid
	FailureCodeConsumerEmailInvalid        FailureCode = "consumer_email_invalid"         // the customer's email invalid
	FailureCodeConsumerFirstnameInvalid    FailureCode = "consumer_firstname_invalid"     // the customer's firstname invalid
	FailureCodeConsumerFloorInvalid        FailureCode = "consumer_floor_invalid"         // the customer's floor invalid
	FailureCodeConsumerIDInvalid           FailureCode = "consumer_id_invalid"            // the customer's id invalid
	FailureCodeConsumerIDTypeInvalid       FailureCode = "consumer_id_type_invalid"       // the customer's id type invalid
	FailureCodeConsumerLastnameInvalid     FailureCode = "consumer_lastname_invalid"      // the customer's lastname invalid
	FailureCodeConsumerPhoneInvalid        FailureCode = "consumer_phone_invalid"         // the customer's phone invalid
	FailureCodeConsumerProvinceInvalid     FailureCode = "consumer_province_invalid"      // the customer's province invalid
	FailureCodeConsumerRegionInvalid       FailureCode = "consumer_region_invalid"        // the customer's region invalid
	FailureCodeConsumerSameAsMerchant      FailureCode = "consumer_same_as_merchant"      // the customer's same as merchant
	FailureCodeConsumerStateInvalid        FailureCode = "consumer_state_invalid"         // the customer's state invalid
	FailureCodeConsumerStreetInvalid       FailureCode = "consumer_street_invalid"        // the customer's street invalid
	FailureCodeConsumerStreetNumberInvalid FailureCode = "consumer_street_number_invalid" // the customer's street number invalid
	FailureCodeConsumerZipInvalid          FailureCode = "consumer_zip_invalid"           // the customer's zip invalid
)

// Codes about payments by bank debit.
const (
	FailureCodeBankDebitBankInvalid        FailureCode = "bank_debit_bank_invalid"          // bank debit: bank invalid
	FailureCodeBankDebitMethodUnavailable  FailureCode = "bank_debit_method_unavailable"    // bank debit: method unavailable
	FailureCodeBankDebitPayerIDInvalid     FailureCode = "bank_debit_payer_id_invalid"      // bank debit: payer id invalid
	FailureCodeBankDebitPayerIDTypeInvalid FailureCode = "bank_debit_payer_id_type_invalid" // bank debit: payer id type invalid
	FailureCodeBankDebitPayerNameInvalid   FailureCode = "bank_debit_payer_name_invalid"    // bank debit: payer name invalid
)

// Codes about payments by boleto.
const (
	FailureCodeBoletoMethodUnavailable  FailureCode = "boleto_method_unavailable"    // boleto: method unavailable
	FailureCodeBoletoPayerIDInvalid     FailureCode = "boleto_payer_id_invalid"      // boleto: payer id invalid
	FailureCodeBoletoPayerIDTypeInvalid FailureCode = "boleto_payer_id_type_invalid" // boleto: payer id type invalid
	FailureCodeBoletoPayerNameInvalid   FailureCode = "boleto_payer_name_invalid"    // boleto: payer name invalid
)

// Codes about payments by ticket.
const (
	FailureCodeTicketMethodUnavailable FailureCode = "ticket_method_unavailable" // ticket: method unavailable
	FailureCodeTicketOperatorInvalid   FailureCode = "ticket_operator_invalid"   // ticket: operator invalid
)

// Codes about payments by card.
const (
	FailureCodeCardCVVInvalid                  FailureCode = "card_cvv_invalid"                   // card: cvv invalid
	FailureCodeCardExpirationDateInvalid       FailureCode = "card_expiration_date_invalid"       // card: expiration date invalid
	FailureCodeCardHolderBirthdateInvalid      FailureCode = "card_holder_birthdate_invalid"      // card: holder birthdate invalid
	FailureCodeCardHolderIDInvalid             FailureCode = "card_holder_id_invalid"             // card: holder id invalid
	FailureCodeCardHolderIDTypeInvalid         FailureCode = "card_holder_id_type_invalid"        // card: holder id type invalid
	FailureCodeCardHolderNameInvalid           FailureCode = "card_holder_name_invalid"           // card: holder name invalid
	FailureCodeCardHolderPhoneInvalid          FailureCode = "card_holder_phone_invalid"          // card: holder phone invalid
	FailureCodeCardInfoInvalid                 FailureCode = "card_info_invalid"                  // card: info invalid
	FailureCodeCardIssuerInvalid               FailureCode = "card_issuer_invalid"                // card: issuer invalid
	FailureCodeCardMethodUnavailable           FailureCode = "card_method_unavailable"            // card: method unavailable
	FailureCodeCardNumberInvalid               FailureCode = "card_number_invalid"                // card: number invalid
	FailureCodeCardTokenInvalid                FailureCode = "card_token_invalid"                 // card: token invalid
	FailureCodeCardRejected                    FailureCode = "card_rejected"                      // card: rejected
	FailureCodeCardRejectedCallForAuthorize    FailureCode = "card_rejected_call_for_authorize"   // card: rejected call for authorize
	FailureCodeCardRejectedDenyList            FailureCode = "card_rejected_deny_list"            // card: rejected deny list
	FailureCodeCardRejectedDisabled            FailureCode = "card_rejected_disabled"             // card: rejected disabled
	FailureCodeCardRejectedDuplicatedPayment   FailureCode = "card_rejected_duplicated_payment"   // card: rejected duplicated payment
	FailureCodeCardRejectedFraudHighRisk       FailureCode = "card_rejected_fraud_high_risk"      // card: rejected fraud high risk
	FailureCodeCardRejectedInsufficientFunds   FailureCode = "card_rejected_insufficient_funds"   // card: rejected insufficient funds
	FailureCodeCardRejectedInvalidInstallments FailureCode = "card_rejected_invalid_installments" // card: rejected invalid installments
	FailureCodeCardRejectedMaxAttempts         FailureCode = "card_rejected_max_attemps"          // card: rejected max attempts
)

// Codes about the delivery.
const (
	FailureCodeShippingCityInvalid          FailureCode = "shipping_city_invalid"          // of the delivery: city invalid
	FailureCodeShippingCountryInvalid       FailureCode = "shipping_country_invalid"       // of the delivery: country invalid
	FailureCodeShippingDistrictInvalid      FailureCode = "shipping_district_invalid"      // of the delivery: district invalid
	FailureCodeShippingEmailInvalid         FailureCode = "shipping_email_invalid"         // of the delivery: email invalid
	FailureCodeShippingFirstnameInvalid     FailureCode = "shipping_firstname_invalid"     // of the delivery: firstname invalid
	FailureCodeShippingFloorInvalid         FailureCode = "shipping_floor_invalid"         // of the delivery: floor invalid
	FailureCodeShippingLastnameInvalid      FailureCode = "shipping_lastname_invalid"      // of the delivery: lastname invalid
	FailureCodeShippingMethodInvalid        FailureCode = "shipping_method_invalid"        // of the delivery: method invalid
	FailureCodeShippingMethodUnavailable    FailureCode = "shipping_method_unavailable"    // of the delivery: method unavailable
	FailureCodeShippingPhoneInvalid         FailureCode = "shipping_phone_invalid"         // of the delivery: phone invalid
	FailureCodeShippingPriceInvalid         FailureCode = "shipping_price_invalid"         // of the delivery: price invalid
	FailureCodeShippingProvinceInvalid      FailureCode = "shipping_province_invalid"      // of the delivery: province invalid
	FailureCodeShippingRegionInvalid        FailureCode = "shipping_region_invalid"        // of the delivery: region invalid
	FailureCodeShippingStateInvalid         FailureCode = "shipping_state_invalid"         // of the delivery: state invalid
	FailureCodeShippingStreetInvalid        FailureCode = "shipping_street_invalid"        // of the delivery: street invalid
	FailureCodeShippingStreetNumberInvalid  FailureCode = "shipping_street_number_invalid" // of the delivery: street number invalid
	FailureCodeShippingTotalCurrencyInvalid FailureCode = "shipping_total_curreny_invalid" // of the delivery: total currency invalid
	FailureCodeShippingZipInvalid           FailureCode = "shipping_zip_invalid"           // of the delivery: zip invalid
)

// Codes about the lines of the order.
const (
	FailureCodeLineItemsCurrencyInvalid    FailureCode = "line_items_currency_invalid"    // line of the order: currency invalid
	FailureCodeLineItemsDescriptionInvalid FailureCode = "line_items_description_invalid" // line of the order: description invalid
	FailureCodeLineItemsPriceInvalid       FailureCode = "line_items_price_invalid"       // line of the order: price invalid
	FailureCodeLineItemsQuantityInvalid    FailureCode = "line_items_quantity_invalid"    // line of the order: quantity invalid
)

// Codes about the total of the order.
const (
	FailureCodeOrderTotalCurrencyInvalid FailureCode = "order_total_currency_invalid" // total of the order: currency invalid
	FailureCodeOrderTotalPriceInvalid    FailureCode = "order_total_price_invalid"    // total of the order: price invalid
	FailureCodeOrderTotalPriceTooSmall   FailureCode = "order_total_price_too_small"  // total of the order: price too small
)

// Known reports whether the contract names the value.
func (c FailureCode) Known() bool { return slices.Contains(failureCodes, c) }

// failureCodes are those that the contract names.
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

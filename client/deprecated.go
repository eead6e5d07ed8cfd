package client

// Lax is the former name of Nullable.
//
// Deprecated: use Nullable.
//
//go:fix inline
type Lax[T any] = Nullable[T]

// Deprecated names of values. The current names begin with the name of their type. Command go fix replaces the old
// names. The release after the next one will remove them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	Adult                       = AgeGroupAdult                       // of AgeGroup
	Infant                      = AgeGroupInfant                      // of AgeGroup
	Kids                        = AgeGroupKids                        // of AgeGroup
	Newborn                     = AgeGroupNewborn                     // of AgeGroup
	Toddler                     = AgeGroupToddler                     // of AgeGroup
	Bearer                      = AuthStyleBearer                     // of AuthStyle
	Authentication              = AuthStyleAuthentication             // of AuthStyle
	BilledCompany               = BillingCustomerCompany              // of BillingCustomerType
	BilledPerson                = BillingCustomerPerson               // of BillingCustomerType
	CancelledAsFraud            = CancelReasonFraud                   // of CancelReason
	CancelledByCustomer         = CancelReasonCustomer                // of CancelReason
	CancelledByInventory        = CancelReasonInventory               // of CancelReason
	CancelledOther              = CancelReasonOther                   // of CancelReason
	APICarrier                  = CarrierCodeAPI                      // of CarrierCode
	CustomCarrier               = CarrierCodeCustom                   // of CarrierCode
	DefaultCarrier              = CarrierCodeDefault                  // of CarrierCode
	DraftCarrier                = CarrierCodeDraft                    // of CarrierCode
	InternationalCarrier        = CarrierCodeInternational            // of CarrierCode
	LocaleCarrier               = CarrierCodeLocale                   // of CarrierCode
	NativeCarrier               = CarrierCodeNative                   // of CarrierCode
	LimitedByCartValue          = CouponLimitationCartValue           // of CouponLimitation
	LimitedByCategories         = CouponLimitationCategories          // of CouponLimitation
	LimitedByQuantity           = CouponLimitationQuantity            // of CouponLimitation
	CouponsByAlphaAscending     = CouponSortAlphaAscending            // of CouponSort
	CouponsByAlphaDescending    = CouponSortAlphaDescending           // of CouponSort
	CouponsByCreatedAscending   = CouponSortCreatedAscending          // of CouponSort
	CouponsByCreatedDescending  = CouponSortCreatedDescending         // of CouponSort
	CouponsByUsesAscending      = CouponSortUsesAscending             // of CouponSort
	CouponsByUsesDescending     = CouponSortUsesDescending            // of CouponSort
	TermLimited                 = CouponTermLimited                   // of CouponTerm
	TermUnlimited               = CouponTermUnlimited                 // of CouponTerm
	AccountsMandatory           = CustomerAccountsMandatory           // of CustomerAccounts
	AccountsOptional            = CustomerAccountsOptional            // of CustomerAccounts
	AbsoluteDiscount            = DraftDiscountAbsolute               // of DraftDiscountType
	PercentageDiscount          = DraftDiscountPercentage             // of DraftDiscountType
	CategoryFields              = FieldOwnerCategory                  // of FieldOwner
	CustomerFields              = FieldOwnerCustomer                  // of FieldOwner
	OrderFields                 = FieldOwnerOrder                     // of FieldOwner
	ProductFields               = FieldOwnerProduct                   // of FieldOwner
	VariantFields               = FieldOwnerVariant                   // of FieldOwner
	FromAdmin                   = FieldSourceAdmin                    // of FieldSource
	FromApp                     = FieldSourceApp                      // of FieldSource
	PaymentMethodDiscount       = FulfillmentDiscountPaymentMethod    // of FulfillmentDiscountType
	PromotionDiscount           = FulfillmentDiscountPromotion        // of FulfillmentDiscountType
	ShippingDiscount            = FulfillmentDiscountShipping         // of FulfillmentDiscountType
	TotalOfDiscounts            = FulfillmentDiscountTotal            // of FulfillmentDiscountType
	ByCash                      = GatewayMethodCash                   // of GatewayMethod
	ByCreditCard                = GatewayMethodCreditCard             // of GatewayMethod
	ByDebitCard                 = GatewayMethodDebitCard              // of GatewayMethod
	ByOther                     = GatewayMethodOther                  // of GatewayMethod
	ByPix                       = GatewayMethodPix                    // of GatewayMethod
	ByWireTransfer              = GatewayMethodWireTransfer           // of GatewayMethod
	Female                      = GenderFemale                        // of Gender
	Male                        = GenderMale                          // of Gender
	Unisex                      = GenderUnisex                        // of Gender
	BypassStock                 = InventoryBehaviourBypass            // of InventoryBehaviour
	ClaimStock                  = InventoryBehaviourClaim             // of InventoryBehaviour
	CategoryMetafields          = MetafieldOwnerCategory              // of MetafieldOwner
	CustomerMetafields          = MetafieldOwnerCustomer              // of MetafieldOwner
	OrderMetafields             = MetafieldOwnerOrder                 // of MetafieldOwner
	PageMetafields              = MetafieldOwnerPage                  // of MetafieldOwner
	ProductMetafields           = MetafieldOwnerProduct               // of MetafieldOwner
	VariantMetafields           = MetafieldOwnerVariant               // of MetafieldOwner
	CloseNext                   = NextActionClose                     // of NextAction
	Noop                        = NextActionNoop                      // of NextAction
	WaitingClientPickup         = NextActionWaitingClientPickup       // of NextAction
	WaitingIPN                  = NextActionWaitingIPN                // of NextAction
	WaitingManualConfirmation   = NextActionWaitingManualConfirmation // of NextAction
	WaitingPacking              = NextActionWaitingPacking            // of NextAction
	WaitingPickup               = NextActionWaitingPickup             // of NextAction
	WaitingShipment             = NextActionWaitingShipment           // of NextAction
	NonShippable                = PickupTypeNonShippable              // of PickupType
	Pickup                      = PickupTypePickup                    // of PickupType
	Ship                        = PickupTypeShip                      // of PickupType
	ProductAdded                = ProductChangeAdded                  // of ProductChangeType
	ProductRemoved              = ProductChangeRemoved                // of ProductChangeType
	ProductsByAlphaAscending    = ProductSortAlphaAscending           // of ProductSort
	ProductsByAlphaDescending   = ProductSortAlphaDescending          // of ProductSort
	ProductsByBestSelling       = ProductSortBestSelling              // of ProductSort
	ProductsByCostAscending     = ProductSortCostAscending            // of ProductSort
	ProductsByCostDescending    = ProductSortCostDescending           // of ProductSort
	ProductsByCreatedAscending  = ProductSortCreatedAscending         // of ProductSort
	ProductsByCreatedDescending = ProductSortCreatedDescending        // of ProductSort
	ProductsByNameAscending     = ProductSortNameAscending            // of ProductSort
	ProductsByNameDescending    = ProductSortNameDescending           // of ProductSort
	ProductsByPriceAscending    = ProductSortPriceAscending           // of ProductSort
	ProductsByPriceDescending   = ProductSortPriceDescending          // of ProductSort
	ProductsByUser              = ProductSortUser                     // of ProductSort
	AbsolutePatch               = RetryClassAbsolutePatch             // of RetryClass
	AbsolutePut                 = RetryClassAbsolutePut               // of RetryClass
	AddingPut                   = RetryClassAddingPut                 // of RetryClass
	Create                      = RetryClassCreate                    // of RetryClass
	EffectCreate                = RetryClassEffectCreate              // of RetryClass
	KeyedCreate                 = RetryClassKeyedCreate               // of RetryClass
	Overwrite                   = RetryClassOverwrite                 // of RetryClass
	Read                        = RetryClassRead                      // of RetryClass
	Remove                      = RetryClassRemove                    // of RetryClass
	ReplaceAll                  = RetryClassReplaceAll                // of RetryClass
	StatePut                    = RetryClassStatePut                  // of RetryClass
	StatusPatch                 = RetryClassStatusPatch               // of RetryClass
	TokenExchange               = RetryClassTokenExchange             // of RetryClass
	OnFirstInteraction          = ScriptEventOnFirstInteraction       // of ScriptEvent
	OnLoad                      = ScriptEventOnLoad                   // of ScriptEvent
	OnCheckout                  = ScriptLocationCheckout              // of ScriptLocation
	OnStore                     = ScriptLocationStore                 // of ScriptLocation
	Delivered                   = ShippingStatusDelivered             // of ShippingStatus
	Fulfilled                   = ShippingStatusFulfilled             // of ShippingStatus
	InPreparation               = ShippingStatusInPreparation         // of ShippingStatus
	Packed                      = ShippingStatusPacked                // of ShippingStatus
	PartiallyFulfilled          = ShippingStatusPartiallyFulfilled    // of ShippingStatus
	PartiallyPacked             = ShippingStatusPartiallyPacked       // of ShippingStatus
	Shipped                     = ShippingStatusShipped               // of ShippingStatus
	Unfulfilled                 = ShippingStatusUnfulfilled           // of ShippingStatus
	Unpacked                    = ShippingStatusUnpacked              // of ShippingStatus
	Unshipped                   = ShippingStatusUnshipped             // of ShippingStatus
	Unlimited                   = StockUnlimited                      // of Stock
	FromAPI                     = StorefrontAPI                       // of Storefront
	FromForm                    = StorefrontForm                      // of Storefront
	FromMarketplace             = StorefrontMarketplace               // of Storefront
	FromPOS                     = StorefrontPOS                       // of Storefront
	FromStore                   = StorefrontStore                     // of Storefront
	DateType                    = ValueTypeDate                       // of ValueType
	FreeText                    = ValueTypeText                       // of ValueType
	Numeric                     = ValueTypeNumeric                    // of ValueType
	TextList                    = ValueTypeTextList                   // of ValueType
	V1                          = VersionV1                           // of Version
	V202503                     = Version202503                       // of Version
	Unstable                    = VersionUnstable                     // of Version
	Hidden                      = VisibilityHidden                    // of Visibility
	SoftHidden                  = VisibilitySoftHidden                // of Visibility
	Visible                     = VisibilityVisible                   // of Visibility
	Friday                      = WeekdayFriday                       // of Weekday
	Monday                      = WeekdayMonday                       // of Weekday
	Saturday                    = WeekdaySaturday                     // of Weekday
	Sunday                      = WeekdaySunday                       // of Weekday
	Thursday                    = WeekdayThursday                     // of Weekday
	Tuesday                     = WeekdayTuesday                      // of Weekday
	Wednesday                   = WeekdayWednesday                    // of Weekday
)

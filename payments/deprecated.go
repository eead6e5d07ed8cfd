package payments

// Former names of values, replaced by names that begin with their types. Run go fix to replace them. The release
// after the next one removes them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	APIKey                     = AuthenticationTypeAPIKey         // of AuthenticationType
	Basic                      = AuthenticationTypeBasic          // of AuthenticationType
	BearerToken                = AuthenticationTypeBearerToken    // of AuthenticationType
	OAuth                      = AuthenticationTypeOAuth          // of AuthenticationType
	Authorization              = EventTypeAuthorization           // of EventType
	Capture                    = EventTypeCapture                 // of EventType
	Expiration                 = EventTypeExpiration              // of EventType
	FraudAnalysis              = EventTypeFraudAnalysis           // of EventType
	MerchantReview             = EventTypeMerchantReview          // of EventType
	Refund                     = EventTypeRefund                  // of EventType
	Sale                       = EventTypeSale                    // of EventType
	Void                       = EventTypeVoid                    // of EventType
	Gateway                    = FeatureGateway                   // of Feature
	InternationalPayments      = FeatureInternationalPayments     // of Feature
	SpecialRates               = FeatureSpecialRates              // of Feature
	TransparentCheckout        = FeatureTransparentCheckout       // of Feature
	Redirect                   = IntegrationTypeRedirect          // of IntegrationType
	Transparent                = IntegrationTypeTransparent       // of IntegrationType
	BankDebit                  = MethodTypeBankDebit              // of MethodType
	Boleto                     = MethodTypeBoleto                 // of MethodType
	Cash                       = MethodTypeCash                   // of MethodType
	CreditCard                 = MethodTypeCreditCard             // of MethodType
	DebitCard                  = MethodTypeDebitCard              // of MethodType
	Pix                        = MethodTypePix                    // of MethodType
	Ticket                     = MethodTypeTicket                 // of MethodType
	Wallet                     = MethodTypeWallet                 // of MethodType
	WireTransfer               = MethodTypeWireTransfer           // of MethodType
	InsufficientAccountBalance = RefundRefusalInsufficientBalance // of RefundRefusal
	RefundAlreadyInProcess     = RefundRefusalAlreadyInProcess    // of RefundRefusal
	RefundRejected             = RefundRefusalRejected            // of RefundRefusal
	TransactionDateTooOld      = RefundRefusalTooOld              // of RefundRefusal
	Authorized                 = StatusAuthorized                 // of Status
	Expired                    = StatusExpired                    // of Status
	Failed                     = StatusFailed                     // of Status
	InFraudAnalysis            = StatusInFraudAnalysis            // of Status
	NeedsMerchantReview        = StatusNeedsMerchantReview        // of Status
	Paid                       = StatusPaid                       // of Status
	PartiallyRefunded          = StatusPartiallyRefunded          // of Status
	Pending                    = StatusPending                    // of Status
	Refunded                   = StatusRefunded                   // of Status
	Voided                     = StatusVoided                     // of Status
)

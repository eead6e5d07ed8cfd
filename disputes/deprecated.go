package disputes

// Former names of values, replaced by names that begin with their types. Run go fix to replace them. The release
// after the next one removes them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	ProcessingFee           = FeeTypeProcessing             // of FeeType
	BankCannotProcess       = ReasonBankCannotProcess       // of Reason
	CheckReturned           = ReasonCheckReturned           // of Reason
	CreditNotProcessed      = ReasonCreditNotProcessed      // of Reason
	CustomerInitiated       = ReasonCustomerInitiated       // of Reason
	DebitNotAuthorized      = ReasonDebitNotAuthorized      // of Reason
	DuplicateTransaction    = ReasonDuplicateTransaction    // of Reason
	FraudulentActivity      = ReasonFraudulentActivity      // of Reason
	IncorrectAccountDetails = ReasonIncorrectAccountDetails // of Reason
	InsufficientFunds       = ReasonInsufficientFunds       // of Reason
	ProductNotReceived      = ReasonProductNotReceived      // of Reason
	ProductUnacceptable     = ReasonProductUnacceptable     // of Reason
	SubscriptionCanceled    = ReasonSubscriptionCanceled    // of Reason
	Unrecognized            = ReasonUnrecognized            // of Reason
	DocumentationSent       = StatusDocumentationSent       // of Status
	Insured                 = StatusInsured                 // of Status
	Lost                    = StatusLost                    // of Status
	NeedsResponse           = StatusNeedsResponse           // of Status
	UnderReview             = StatusUnderReview             // of Status
	Won                     = StatusWon                     // of Status
)

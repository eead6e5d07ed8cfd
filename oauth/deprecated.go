package oauth

// Former names of scopes. Command go fix replaces them. The release after the next one removes them.
//
// Deprecated: use the names that begin with the type.
//
//go:fix inline
const (
	ReadContent            = ScopeReadContent            // of Scope
	ReadCoupons            = ScopeReadCoupons            // of Scope
	ReadCustomers          = ScopeReadCustomers          // of Scope
	ReadDraftOrders        = ScopeReadDraftOrders        // of Scope
	ReadEmailTemplates     = ScopeReadEmailTemplates     // of Scope
	ReadFulfillmentOrders  = ScopeReadFulfillmentOrders  // of Scope
	ReadLocations          = ScopeReadLocations          // of Scope
	ReadOrders             = ScopeReadOrders             // of Scope
	ReadPaymentOptions     = ScopeReadPaymentOptions     // of Scope
	ReadPayments           = ScopeReadPayments           // of Scope
	ReadProducts           = ScopeReadProducts           // of Scope
	ReadShipping           = ScopeReadShipping           // of Scope
	ReadShippingQuotation  = ScopeReadShippingQuotation  // of Scope
	WriteContent           = ScopeWriteContent           // of Scope
	WriteCoupons           = ScopeWriteCoupons           // of Scope
	WriteCustomers         = ScopeWriteCustomers         // of Scope
	WriteDraftOrders       = ScopeWriteDraftOrders       // of Scope
	WriteEmailTemplates    = ScopeWriteEmailTemplates    // of Scope
	WriteFulfillmentOrders = ScopeWriteFulfillmentOrders // of Scope
	WriteLocations         = ScopeWriteLocations         // of Scope
	WriteOrders            = ScopeWriteOrders            // of Scope
	WritePayments          = ScopeWritePayments          // of Scope
	WriteProducts          = ScopeWriteProducts          // of Scope
	WriteScripts           = ScopeWriteScripts           // of Scope
	WriteShipping          = ScopeWriteShipping          // of Scope
	WriteShippingQuotation = ScopeWriteShippingQuotation // of Scope
)

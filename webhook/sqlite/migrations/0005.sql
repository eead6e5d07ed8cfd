-- The trace under which the body of an entry was received. The release before does not know it: it renews an entry and
-- leaves its trace as it is.
ALTER TABLE inbox_entry ADD COLUMN trace TEXT;        -- a traceparent of W3C Trace Context; NULL: none
ALTER TABLE inbox_entry ADD COLUMN trace_sum INTEGER; -- CRC-32C of the generation that brought it, the key and the trace

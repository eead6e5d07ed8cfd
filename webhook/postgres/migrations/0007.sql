-- receive counts leases as attempts, and notes the arrivals that they are for. An entry that arrived since it was leased
-- was seen again. Keys are in order.
CREATE OR REPLACE FUNCTION inbox.receive(p_queue text, p_keys text[], p_lanes text[], p_tokens bigint[], p_arrivals integer[])
	RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	FOR i IN 1..cardinality(p_keys) LOOP
		UPDATE inbox.entry e SET attempts = e.attempts + 1, run_arrivals = p_arrivals[i],
			again_seen = CASE WHEN e.arrivals > p_arrivals[i] THEN e.last_seen END
			WHERE e.queue = p_queue AND e.key = p_keys[i]
			AND EXISTS (SELECT FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lanes[i] AND l.token = p_tokens[i]);
	END LOOP;
END $$;

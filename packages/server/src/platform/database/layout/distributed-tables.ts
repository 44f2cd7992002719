/**
 * The tables whose rows are distributed over the nodes of a cluster by `account_id`: all that a
 * request of an account reads or writes while it is accepted, applied or searched. They are
 * co-located, so all rows of an account are on one node, and its transactions are of one node.
 *
 * All other tables stay on the coordinator, except {@link referenceTables}.
 */
export const distributedTables = [
  'contacts',
  'account_numbers',
  'activities',
  'activity_counts',
  'activity_moves',
  'activity_summaries',
  'activity_summary_states',
  'attribute_fills',
  'attribute_slots',
  'attributes',
  'audiences',
  'awaited_opt_outs',
  'contact_counts',
  'contact_events',
  'contact_numbers',
  'contact_totals',
  'event_feeds',
  'event_groups',
  'forgotten',
  'former_keys',
  'former_masks',
  'idempotency_keys',
  'lane_terms',
  'list_days',
  'live_accounts',
  'live_changes',
  'live_days',
  'live_members',
  'live_pending',
  'live_segments',
  'message_names',
  'request_failures',
  'request_parts',
  'request_queue',
  'request_results',
  'requests',
  'segment_counts',
  'sweeps',
] as const;

/** The tables that every node has a copy of. */
export const referenceTables = ['accounts'] as const;

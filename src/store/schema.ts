/** Database schema of the store. @module */
import { type DatabaseFormat } from "../sys/database.ts";

/**
 * `handles` keeps its payload last, so that lists and evictions do not read the pages it overflows to. `handle_totals`
 * spares every write the sum over all handles. `call_rollups` counts the rounded durations of each
 * minute and hour as JSON, so that a percentile over a day reads a few hundred rows.
 */
const SCHEMA = `
create table handles (
  seq integer primary key autoincrement,
  id text not null unique,
  kind text not null,
  owner text not null,
  created_ms integer not null,
  expires_ms integer not null,
  size_bytes integer not null,
  charged_bytes integer not null,
  total_lines integer,
  blob text,
  source_path text,
  source_size integer,
  source_mtime integer,
  source_sha256 text,
  meta text not null,
  payload blob
);
create index handles_by_expiry on handles (expires_ms);
create index handles_by_owner on handles (owner, seq);
create index handles_by_blob on handles (blob) where blob is not null;
create table handle_totals (one integer primary key check (one = 1), handles integer not null, bytes integer not null);
insert into handle_totals values (1, 0, 0);
create trigger handle_added after insert on handles begin
  update handle_totals set handles = handles + 1, bytes = bytes + new.charged_bytes;
end;
create trigger handle_removed after delete on handles begin
  update handle_totals set handles = handles - 1, bytes = bytes - old.charged_bytes;
end;

create table calls (
  id integer primary key,
  time_ms integer not null,
  tool text not null,
  owner text not null,
  agent_id text not null,
  session_id text not null,
  model text not null,
  args_summary text not null,
  status text not null,
  error_code text,
  duration_ms real not null,
  tokens_in integer not null,
  tokens_out integer not null,
  truncated integer not null,
  bytes_out integer not null,
  correlation_id text not null
);
create index calls_by_time on calls (time_ms);
create index calls_by_tool on calls (tool, time_ms);
create table call_rollups (
  span_s integer not null,
  start_s integer not null,
  tool text not null,
  errors integer not null,
  durations text not null,
  unique (span_s, start_s, tool)
);

create table te_events (
  id integer primary key,
  time_ms integer not null,
  agent_id text not null,
  session_id text not null,
  model text not null,
  command text not null,
  program text not null,
  mode text not null,
  input_bytes integer not null,
  output_bytes integer not null,
  output_tokens integer not null,
  truncated integer not null,
  handle text,
  latency_ms real not null,
  error text
);
create index te_events_by_time on te_events (time_ms);
create index te_events_by_session on te_events (session_id, agent_id);
`;

/** The version grows with every change of the schema; a database of another version is set aside. */
export const STORE_FORMAT: DatabaseFormat = {
  version: 1,
  schema: SCHEMA,
  tables: ["handles", "handle_totals", "calls", "call_rollups", "te_events"],
};

/** Database schema of the journal of changes. @module */
import type { DatabaseFormat } from "../sys/database.ts";

/**
 * `operations.seq` is never used twice, because ids are made of it. `images` hold contents once, however many entries
 * need them. `journal_totals` spares every change the sum over all rows.
 */
const SCHEMA = `
create table operations (
  seq integer primary key autoincrement,
  time_ms integer not null,
  owner text not null,
  agent_id text not null,
  session_id text not null,
  tool text not null,
  summary text not null,
  parent text not null,
  state text not null,
  uncovered integer not null default 0
);
create index operations_by_time on operations (time_ms);
create table entries (
  id integer primary key,
  op integer not null,
  path text not null,
  source text,
  before text not null,
  image text,
  after text,
  charged_bytes integer not null
);
create index entries_by_op on entries (op);
create index entries_by_path on entries (path, op);
create index entries_by_source on entries (source, op) where source is not null;
create index entries_by_image on entries (image) where image is not null;
create table images (
  hash text primary key,
  blob integer not null,
  charged_bytes integer not null,
  payload blob
) without rowid;
create table journal_totals (one integer primary key check (one = 1), bytes integer not null);
insert into journal_totals values (1, 0);
create trigger entry_added after insert on entries begin
  update journal_totals set bytes = bytes + new.charged_bytes;
end;
create trigger entry_removed after delete on entries begin
  update journal_totals set bytes = bytes - old.charged_bytes;
end;
create trigger image_added after insert on images begin
  update journal_totals set bytes = bytes + new.charged_bytes;
end;
create trigger image_removed after delete on images begin
  update journal_totals set bytes = bytes - old.charged_bytes;
end;
create table dropped (one integer primary key check (one = 1), last_seq integer not null, reason text not null);
`;

/** The version grows with every change of the schema; a database of another version is set aside. */
export const JOURNAL_FORMAT: DatabaseFormat = {
  version: 1,
  schema: SCHEMA,
  tables: ["operations", "entries", "images", "journal_totals", "dropped"],
};

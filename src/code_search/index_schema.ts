/** Database schema of an index. @module */
import { type DatabaseFormat } from "../sys/database.ts";
import { FIELDS } from "./fields.ts";

/** Column of the files table that counts the words of a field. */
export const lengthColumn = (field: string): string => `${field}_words`;

/** Everything that an empty database gets. */
const INDEX_SCHEMA = `
create table meta (key text primary key, value text not null) without rowid;
create table files (
  id integer primary key,
  path text not null unique,
  size_bytes integer not null,
  changed_ms real not null,
  read_ms real not null,
  hash text not null,
  language text not null,
  kind text not null,
  test integer not null,
  about text not null,
  first_chunk integer not null,
  chunks integer not null,
  ${FIELDS.map((field) => `${lengthColumn(field)} integer not null`).join(",\n  ")}
);
create table chunks (
  id integer primary key,
  file_id integer not null,
  ordinal integer not null,
  kind text not null,
  symbol text not null,
  start_line integer not null,
  end_line integer not null,
  name_line integer not null
);
create index chunks_by_file on chunks (file_id, ordinal);
create table names (
  name text not null collate nocase,
  chunk_id integer not null,
  file_id integer not null,
  primary key (name, chunk_id)
) without rowid;
create index names_by_file on names (file_id);
create table imports (file_id integer not null, target text not null, primary key (file_id, target)) without rowid;
create virtual table chunk_words using fts5 (${FIELDS.join(", ")}, tokenize = "unicode61 remove_diacritics 0");
create virtual table vocabulary using fts5vocab ('chunk_words', 'row');
create table vectors (key text primary key, vector blob not null) without rowid;
create table lease (id integer primary key check (id = 1), owner text not null, until_ms real not null);
`;

/** The version changes with the tables and with what is put into them: an index of another version is rebuilt. */
export const INDEX_FORMAT: DatabaseFormat = {
  version: 4,
  schema: INDEX_SCHEMA,
  tables: ["files", "chunks", "chunk_words"],
};

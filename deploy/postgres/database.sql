-- A database for the two accounts of roles.sql. Run by a superuser, with psql: at the first start, and for each one that a backup is restored into:
--   psql --variable database=restored --file database.sql
\if :{?database}
\else
\set database adjoin
\endif
create database :"database" owner adjoin_owner;
revoke all on database :"database" from public;
grant connect on database :"database" to adjoin_run;
\connect :"database"
alter default privileges for role adjoin_owner in schema public grant select, insert, update, delete on tables to adjoin_run;
alter default privileges for role adjoin_owner in schema public grant usage on sequences to adjoin_run;

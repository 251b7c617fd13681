import pg from 'pg'

const clients = ['Globex', 'Initech', 'Hooli', 'Umbrella', 'Stark', 'Wayne', 'Wonka', 'Acme', 'Müller & Söhne', 'Łódź Reklama']
const systems = ['google_ads', 'meta_ads', 'linkedin_ads', 'the_trade_desk', 'magnite', 'criteo', 'microsoft_ads', 'google_ad_manager']

/** An agency with many clients: of twenty integrations one is revoked, one set up wrongly, one waits, one expires, the others work. */
export async function furnishMany(database: string, orgSlug: string, workspaces: number, each = 5): Promise<void> {
  const db = new pg.Client({ connectionString: database })
  await db.connect()
  await db.query(
    `insert into workspaces (organization_id, slug, name)
      select o.id, 'client-' || w, ($3::text[])[1 + w % cardinality($3::text[])] || ' ' || w
      from organizations o, generate_series(1, $2::int) w where o.slug = $1`,
    [orgSlug, workspaces, clients],
  )
  await db.query(
    `insert into integrations (organization_id, workspace_id, name, provider, status, status_detail, status_reason, grant_ends_at, grant_end)
      select organization_id, id, initcap(replace(system, '_', ' ')) || ', ' || name, system,
        case n % 20 when 3 then 'error' when 8 then 'error' when 13 then 'pending' else 'active' end,
        case n % 20 when 3 then 'Access was revoked or has expired. Connect again.' when 8 then 'A setting is missing: customer ID. Add it in Settings.' end,
        case n % 20 when 3 then 'grant_revoked' when 8 then 'setting_missing' end,
        case n % 20 when 11 then now() + interval '1 day' * (2 + n % 27) end, 'estimated'
      from (select w.*, n, ($3::text[])[1 + n % cardinality($3::text[])] as system
        from organizations o join workspaces w on w.organization_id = o.id and w.slug like 'client-%'
        cross join lateral generate_series(substring(w.slug from 8)::int * $2::int, substring(w.slug from 8)::int * $2::int + $2::int - 1) n
        where o.slug = $1) placed`,
    [orgSlug, each, systems],
  )
  await db.end()
}

/** Keys that were revoked long ago, more than a list holds. */
export async function furnishRevokedKeys(database: string, orgSlug: string, keys: number): Promise<void> {
  const db = new pg.Client({ connectionString: database })
  await db.connect()
  await db.query(
    `insert into api_keys (organization_id, level, name, key_hash, creator_id, created_at, revoked_at)
      select o.id, 'user', 'Old ' || n, sha256((o.id || ' ' || n)::bytea), m.user_id, now() - make_interval(days => n), now()
      from organizations o join members m on m.organization_id = o.id and m.role = 'admin', generate_series(1, $2::int) n where o.slug = $1`,
    [orgSlug, keys],
  )
  await db.end()
}

import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Pagination } from '#app/ui/tables/pagination.tsx'
import { PAGE_SIZE } from '#contract/constants.ts'
import type { States } from '../../states.ts'

function Pages({ start = 0, pages }: { start?: number; pages: number }) {
  const { t } = useTranslation('gallery')
  const [page, setPage] = useState(start)
  return <Pagination label={t('PagesOf', { pages })} page={page} rows={pages * PAGE_SIZE} onPage={setPage} />
}

export const states: States = {
  Default: () => <Pages pages={2} />,
  Many: () => <Pages start={200} pages={1234} />,
  Empty: () => <Pages pages={0} />,
}

/** A team with every field filled in. */
export const team = {
  clubType: { id: 'Academy', name: 'Academy' },
  clubName: 'Touchline FC',
  teamName: 'U19',
  country: { id: 'France', name: 'France' },
  location: { id: 'Lyon', name: 'Lyon' },
  teamGender: 'female',
  ageGroup: { id: 'U19', name: 'U19' },
}

